/// The receipts of all conversations, and the requests that follow who has a message.
package struct ReceiptTable: Sendable {
    /// A request whose message is followed.
    private struct Wait {
        let request: RequestID
        let conversation: UInt32
        let origin: OriginID
        let tag: SessionTag
        /// The message, and its latest replacement by the same origin.
        var sequences: [UInt64]
        var devices = 0
    }

    private var conversations: [UInt32: ConversationReceipts] = [:]
    /// The oldest first.
    private var waits: [Wait] = []

    package init() {}

    /// The receipts of recovered conversations.
    mutating func recover(_ recovered: [RecoveredConversation]) {
        for conversation in recovered {
            for (name, record) in conversation.members {
                self[conversation.record.number].recover(name, record)
            }
        }
    }

    subscript(conversation: UInt32) -> ConversationReceipts {
        _read { yield conversations[conversation, default: ConversationReceipts()] }
        _modify { yield &conversations[conversation, default: ConversationReceipts()] }
    }

    /// The devices that are known to have a message of this node.
    package func count(of dot: Dot, in conversation: UInt32) -> Int {
        conversations[conversation]?.book.count(of: dot) ?? 0
    }

    /// All devices with a claim to the messages of a conversation, besides the own one.
    package func everybody(
        in conversation: Conversation,
        members: [KnownDevice],
        admissions: [Admission]
    ) -> Set<DeviceID> {
        let proven = conversations[conversation.number]?.book.provenReaders ?? []
        let all = Everybody.devices(of: conversation, proven: proven, admissions: admissions)
        // After a change of keys, only members have a claim.
        return conversation.generations.arePlain ? all : all.intersection(members.map(\.device))
    }

    var numbers: [UInt32] { conversations.keys.sorted() }

    var deadline: Moment? {
        var next = Earliest()
        for receipts in conversations.values { next.add(receipts.deadline) }
        return next.moment
    }

    mutating func left(_ conversation: UInt32) {
        conversations[conversation] = nil
        waits.removeAll { $0.conversation == conversation }
    }

    mutating func linkClosed(_ link: LinkID) {
        for number in conversations.keys { conversations[number]?.linkClosed(link) }
    }

    // MARK: Following

    /// This node wrote a message; the request, if any, follows its spread.
    mutating func wrote(_ dot: Dot, in tag: SessionTag, of number: UInt32, for request: RequestID?)
    {
        for index in waits.indices
        where waits[index].conversation == number && waits[index].tag == tag
            && waits[index].origin == dot.origin
        {
            if waits[index].sequences.count == 16 { waits[index].sequences.remove(at: 1) }
            waits[index].sequences.append(dot.sequence)
        }
        guard let request else { return }
        if waits.count == Limits.receiptsFollowed { waits.removeFirst() }
        let sequences = [dot.sequence]
        waits.append(
            Wait(
                request: request,
                conversation: number,
                origin: dot.origin,
                tag: tag,
                sequences: sequences
            )
        )
    }

    /// Nobody follows the message of the request any more.
    mutating func forget(_ request: RequestID) { waits.removeAll { $0.request == request } }

    /// Receipts for an origin of this node arrived.
    ///
    /// - Returns: what to write, and the counts that grew.
    mutating func take(
        _ frame: ReceiptsFrame,
        in conversation: Conversation,
        using crypto: some Cryptography
    ) -> (writes: [StoreWrite], deliveries: [Delivery]) {
        let number = conversation.number
        let writes = frame.receipts.compactMap {
            self[number].book.take($0, of: frame.origin, in: conversation, using: crypto)
        }
        guard !writes.isEmpty else { return ([], []) }
        var deliveries: [Delivery] = []
        for index in waits.indices
        where waits[index].conversation == number && waits[index].origin == frame.origin {
            let count = self[number].book.count(of: waits[index].sequences, by: frame.origin)
            guard count > waits[index].devices else { continue }
            waits[index].devices = count
            deliveries.append(.delivered(waits[index].request, nodes: count))
        }
        return (writes, deliveries)
    }
}
