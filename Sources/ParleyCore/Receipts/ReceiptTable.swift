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

    /// The numbers of conversations with receipts, ascending, and the receipts of each.
    private var numbers: [UInt32] = []
    private var conversations: [ConversationReceipts] = []
    /// The conversations that have changed, or wait for a commit or a moment, ascending.
    private(set) var active: [UInt32] = []
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
        _read {
            if let index = index(of: conversation) {
                yield conversations[index]
            } else {
                yield ConversationReceipts()
            }
        }
        _modify {
            let index = numbers.partitioningIndex { $0 >= conversation }
            if index == numbers.count || numbers[index] != conversation {
                numbers.insert(conversation, at: index)
                conversations.insert(ConversationReceipts(), at: index)
            }
            activate(conversation)
            yield &conversations[index]
        }
    }

    /// The state of a conversation has changed: has its receipts looked at.
    mutating func activate(_ conversation: UInt32) {
        let index = active.partitioningIndex { $0 >= conversation }
        guard index == active.count || active[index] != conversation else { return }
        active.insert(conversation, at: index)
    }

    /// Leaves the conversations in peace that wait for nothing.
    mutating func rest() {
        active = active.filter { number in
            index(of: number).map { conversations[$0].isWaiting } ?? false
        }
    }

    /// Whether a conversation has anything to report, to reserve, to open or to send now.
    func isDue(in conversation: Conversation, _ commits: Commits, at now: Moment) -> Bool {
        index(of: conversation.number).map { index in
            conversations[index].isDue(conversation.keys, commits.committed, at: now)
        } ?? false
    }

    private func index(of conversation: UInt32) -> Int? {
        let index = numbers.partitioningIndex { $0 >= conversation }
        return index < numbers.count && numbers[index] == conversation ? index : nil
    }

    /// The devices that are known to have a message of this node.
    package func count(of dot: Dot, in conversation: UInt32) -> Int {
        self[conversation].book.count(of: dot)
    }

    /// All devices with a claim to the messages of a conversation, besides the own one.
    package func everybody(
        in conversation: Conversation,
        members: [KnownDevice],
        admissions: [Admission]
    ) -> Set<DeviceID> {
        var all = Set(members.lazy.filter { $0.role != .relay }.map(\.device))
        // Before any change of keys, admitted devices and those with receipts are members as well.
        if conversation.generations.arePlain {
            all.formUnion(self[conversation.number].book.provenReaders)
            all.formUnion(admissions.lazy.filter { $0.role != .relay }.map(\.device))
        }
        all.remove(conversation.device)
        return all
    }

    var deadline: Moment? {
        var next = Earliest()
        for number in active { next.add(index(of: number).flatMap { conversations[$0].deadline }) }
        return next.moment
    }

    mutating func left(_ conversation: UInt32) {
        if let index = index(of: conversation) {
            numbers.remove(at: index)
            conversations.remove(at: index)
        }
        waits.removeAll { $0.conversation == conversation }
    }

    /// A link has ended that worked until `end`.
    mutating func linkClosed(_ link: LinkID, workedUntil end: Moment, at now: Moment) {
        for index in conversations.indices
        where conversations[index].linkClosed(link, workedUntil: end, at: now) {
            activate(numbers[index])
        }
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

    /// Takes receipts for an origin of this node: writes what is new, and reports counts that grew.
    mutating func take(
        _ receipts: [Receipt],
        of origin: OriginID,
        in conversation: Conversation,
        _ members: MemberTable,
        into step: inout Step,
        using crypto: some Cryptography
    ) {
        let number = conversation.number
        let devices = Set(
            receipts.compactMap {
                self[number].book.take($0, of: origin, in: conversation, members, using: crypto)
            }
        )
        guard !devices.isEmpty else { return }
        step.writes += devices.sorted()
            .compactMap { self[number].book.write(of: $0, origin, in: number) }
        for index in waits.indices
        where waits[index].conversation == number && waits[index].origin == origin {
            let count = self[number].book.count(of: waits[index].sequences, by: origin)
            guard count > waits[index].devices else { continue }
            waits[index].devices = count
            step.effects.deliveries.append(.delivered(waits[index].request, nodes: count))
        }
    }
}
