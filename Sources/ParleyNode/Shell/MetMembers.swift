package import ParleyCore

/// The members that had a link since the node was started, with the conversations that each shared
/// on it.
///
/// A data directory says which conversations a device shares only if its feed was read there or it
/// has written there. Of other members it has the names and addresses at most.
package struct MetMembers {
    private var conversations: [DeviceID: Set<UInt32>] = [:]
    private let countMax: Int

    /// No member yet; further ones than `countMax` are not remembered.
    ///
    /// None is dropped for another one, so that nobody can drive out others.
    package init(countMax: Int = 1_024) {
        self.countMax = countMax
    }

    /// A device has proved that it shares a conversation.
    ///
    /// A device of an open conversation can be anybody, so it is added only while less than half of
    /// the capacity is used.
    package mutating func met(_ device: DeviceID, in conversation: UInt32, isOpen: Bool) {
        let capacity = isOpen ? countMax / 2 : countMax
        guard conversations[device] != nil || conversations.count < capacity else { return }
        conversations[device, default: []].insert(conversation)
    }

    /// This node has left a conversation.
    package mutating func left(_ conversation: UInt32) {
        for device in conversations.keys { conversations[device]?.remove(conversation) }
        conversations = conversations.filter { !$0.value.isEmpty }
    }

    /// The devices that shared a conversation on a link, in no particular order.
    package func members(of conversation: UInt32) -> [DeviceID] {
        conversations.filter { $0.value.contains(conversation) }.map(\.key)
    }
}
