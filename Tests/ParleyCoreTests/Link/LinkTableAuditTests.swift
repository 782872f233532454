import ParleyCore
import ParleyFaults
import Testing

/// How members compare their stores, and how a link goes on that was silent.
@Suite struct LinkTableAuditTests {
    private let ada = SimulatedAuthor(writer: 2, in: 1)
    private let ben = SimulatedAuthor(writer: 3, in: 2)
    private let now = Moment.start + .seconds(3)

    private func tables() throws -> SampleTable {
        var sample = SampleTable([1, 2], writers: [ada, ben])
        sample.keep(try ada.writes("s"))
        sample.keep(try ben.writes("s"), in: 2)
        sample.keep(try ben.writes("t", 2), in: 2)
        return sample
    }

    /// The link of a member with these conversations, which is in sync with each of them and calls
    /// it by another number.
    private func member(
        _ number: UInt64,
        of conversations: [Conversation],
        isInSync: Bool = true
    ) throws -> Link {
        var link = Link(number).greeted()
        for (index, conversation) in conversations.enumerated() {
            link.share(conversation, (own: conversation.number + 10, peer: UInt32(index)))
            guard isInSync else { continue }
            let request = FeedRequest(
                conversation: 0,
                since: .beginning,
                ownIncarnation: 7,
                ownPosition: 0
            )
            try link.replications[index].feedRequested(request, of: conversation, at: .start)
            var sender = Sender(now: now, committed: Ticket(9), unstoredBlobs: [])
            sender.outbox = Outbox(capacity: Outbox.bytesMax)
            sender.namesLeft = 9
            link.replications[index].pump(from: conversation, into: &sender)
        }
        return link
    }

    @Test func allConversationsThatAreInSyncAreCompared() throws {
        let conversations = try tables().table
        var table = LinkTable([
            try member(1, of: [conversations[1], conversations[0]]),
            try member(2, of: [conversations[0]], isInSync: false),
            try member(3, of: [SampleConversation.other(5)]),
            try member(4, of: [conversations[0]]),
            try member(5, of: [conversations[0]]).closing(),
            Link(6).greeted(),
        ])
        table.all.startAudits(of: conversations)
        let audits = conversations.map { conversation in
            Frame.audit(
                Audit(
                    conversation: conversation.number + 10,
                    ownPosition: UInt64(conversation.sessionCount),
                    peerPosition: 0,
                    sums: conversation.sessions.auditSums
                )
            )
        }
        let frames = table.indices.map { table[$0].outbox.takeFrames() }
        #expect(frames == [[audits[1], audits[0]], [], [], [audits[0]], [], []])
    }

    /// A node that is alone is not woken for audits.
    @Test func noAuditIsPlannedWithoutAMember() throws {
        let conversations = try tables().table
        let member = try member(1, of: [conversations[0]])
        let arePlanned = [[], [Link(1)], [member.closing()], [Link(1), member]].map { links in
            var random = SeededRandom(seed: 1)
            var table = LinkTable(links)
            table.audit(conversations, isPaused: false, at: .start, random: &random)
            var timer = table.audits
            return timer.takesDue(at: 3_600)
        }
        #expect(arePlanned == [false, false, false, true])
    }

    @Test func anAuditIsDueInItsTime() {
        var random = SeededRandom(seed: 1)
        var timer = AuditTimer()
        let beforeThePlan = timer.takesDue(at: 3_600)
        timer.plan(at: .start, random: &random)
        timer.plan(at: .start + .seconds(20), random: &random)
        let taken = [29, 35, 35].map { timer.takesDue(at: $0) }
        #expect(!beforeThePlan)
        #expect(taken == [false, true, false])
    }

    /// Two audits in three may be early, however often the sums of a peer differ.
    @Test func aDifferenceBringsTheNextAuditForward() {
        var random = SeededRandom(seed: 1)
        var timer = AuditTimer()
        var taken: [Int64] = []
        for second in 0..<120 as Range<Int64> {
            let now = Moment.start + .seconds(second)
            timer.plan(at: now, random: &random)
            if second >= 10 { timer.differed(at: now) }
            if timer.takesDue(at: second) { taken.append(second) }
        }
        let steps = zip([10] + taken, taken).map { $1 - $0 }
        #expect(steps.prefix(2) == [5, 6])
        #expect(steps.dropFirst(2).allSatisfy { [6, 31, 32, 33, 34, 35, 36].contains($0) })
        #expect(steps.count { $0 > 6 } == 2)
        #expect(taken.count == 8)
    }

    @Test func aDifferenceThatStaysIsReported() throws {
        let conversations = try tables().table
        var table = LinkTable([try member(1, of: [conversations[0], conversations[1]])])
        var sums = conversations[1].sessions.auditSums
        sums[3] &+= 1
        sums[200] &+= 1
        let audit = Audit(conversation: 1, ownPosition: 0, peerPosition: 2, sums: sums)
        var step = Step(at: now)
        for expected in [[], [2]] as [[Int]] {
            try table.auditReceived(
                audit,
                from: ReplicationIndex(link: 0, replication: 1),
                of: conversations[1],
                into: &step
            )
            let buckets = step.effects.deliveries.map { delivery in
                guard case .divergence(2, DeviceID(seed: 2), let buckets) = delivery else {
                    return 0
                }
                return buckets
            }
            #expect(buckets == expected)
        }
    }

    /// Changes of a silence count as replay: they are announced instead of pushed.
    @Test func aSilentLinkBeginsAnew() throws {
        var sample = try tables()
        // The envelopes came on the link 1.
        var table = LinkTable([
            try member(7, of: [sample.table[0], SampleConversation.other(5), sample.table[1]]),
            try member(8, of: [sample.table[0]]),
        ])
        sample.keep(try ben.writes("u", 3), in: 2)
        table.resumed(0, sample.table)
        var sender = Sender(now: now, committed: Ticket(9), unstoredBlobs: [])
        sender.outbox = Outbox(capacity: Outbox.bytesMax)
        sender.namesLeft = 9
        sender.outbox.credit.envelopeLimit = 1 << 20
        table[0].replications[2].pump(from: sample.table[1], into: &sender)
        let frames = sender.takeFrames()
        #expect(frames.pushed == [])
        #expect(frames.announced.map(\.dot) == [ben.dot(3)])
    }
}

extension AuditTimer {
    fileprivate mutating func takesDue(at seconds: Int64) -> Bool {
        takeDue(at: .start + .seconds(seconds))
    }
}
