package import ParleyCore
package import ParleyStore

/// Whether a node can do its work: what is told to people and programs about troubles.
package struct NodeHealth {
    private let storeTrouble: StoreError?
    private let usedUp: [(shortage: Shortage, conversation: String)]
    private let isListening: Bool
    private let isFound: Bool

    /// Takes the error of the store, the quotas that are used up with the names of conversations
    /// that leave out messages, and whether the node listens and, if it should be, is announced.
    package init(
        storeTrouble: StoreError? = nil,
        usedUp: [(shortage: Shortage, conversation: String)] = [],
        isListening: Bool = true,
        isFound: Bool = true
    ) {
        self.storeTrouble = storeTrouble
        self.usedUp = usedUp
        self.isListening = isListening
        self.isFound = isFound
    }

    /// The troubles that keep the node from its work at present.
    package var troubles: [NodeTrouble] {
        let found: [(NodeTrouble, Bool)] = [
            (.notListening, !isListening),
            (.storeFull, storeTrouble?.isLackOfSpace == true),
            (.storeFails, storeTrouble?.isLackOfSpace == false),
            (.conversationFull, usedUp.contains { $0.shortage != .allConversations }),
            (.quotaFull, usedUp.contains { $0.shortage == .allConversations }),
            (.notAnnounced, !isFound),
        ]
        return found.filter(\.1).map(\.0)
    }

    /// Whether the store takes messages; a failing disk goes before quotas.
    package var store: StoreStatus {
        if let storeTrouble {
            let state: StoreStatus.State = storeTrouble.isLackOfSpace ? .full : .failing
            return StoreStatus(state: state, detail: storeTrouble.description)
        }
        guard let (shortage, conversation) = usedUp.first else {
            return StoreStatus(state: .ok, detail: nil)
        }
        return StoreStatus(
            state: shortage == .allConversations ? .quotaFull : .conversationFull,
            detail: shortage.sentence(in: conversation)
        )
    }
}
