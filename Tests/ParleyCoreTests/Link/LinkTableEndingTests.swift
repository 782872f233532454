import ParleyCore
import ParleyFaults
import Testing

/// How a link ends: what its peer is sent, what is closed and what is told, in which order.
@Suite struct LinkTableEndingTests {
    private let one = SampleConversation().conversation

    /// Three members' links, 1 to 3.
    private var table: LinkTable {
        LinkTable((1...3).map { Link($0, to: $0 + 1).greeted(sharing: [one]) })
    }

    // MARK: One link

    /// A way in which link 2 ends.
    struct Ending: Sendable, CustomTestStringConvertible {
        let name: String
        var frames: [Frame] = []
        var closes: [ClosedLink] = []
        let news: [LinkNews]
        let end: @Sendable (inout LinkTable, inout Step) -> Void

        var testDescription: String { name }

        static let all = [
            Ending(
                name: "this side closes it and says why",
                frames: .goodbye(.busy, "full"),
                closes: [ClosedLink(2, saying: .busy, "full")],
                news: [.closed(2, .said(.busy, "full"))]
            ) { $0[1].close(saying: .busy, text: "full", into: &$1) },
            Ending(
                name: "this side closes it without a text",
                frames: .goodbye(.duplicate),
                closes: [ClosedLink(2, saying: .duplicate)],
                news: [.closed(2, .said(.duplicate, ""))]
            ) { $0[1].close(saying: .duplicate, into: &$1) },
            Ending(
                name: "the refusal is told first, then the end",
                frames: .goodbye(.forged, ParleyCore.Refusal.badBlob.sentence),
                closes: [ClosedLink(2, saying: .forged, ParleyCore.Refusal.badBlob.sentence)],
                news: [
                    .refused(2, .badBlob),
                    .closed(2, .said(.forged, ParleyCore.Refusal.badBlob.sentence)),
                ]
            ) { $0.refuse(.badBlob, on: 1, into: &$1) },
            Ending(
                name: "nothing is said to a peer that says goodbye",
                closes: [ClosedLink(2, .heard(.left, "bye"))],
                news: [.closed(2, .heard(.left, "bye"))]
            ) { $0[1].heard(Goodbye(reason: .left, text: "bye"), into: &$1) },
            Ending(
                name: "a connection that is gone need not be closed",
                news: [.closed(2, .lost("reset"))]
            ) { $0.all.lost(LinkID(2), "reset", into: &$1) },
        ]
    }

    @Test(arguments: Ending.all)
    func aLinkEndsOnce(_ ending: Ending) {
        var table = table
        var step = Step(at: .start)
        ending.end(&table, &step)
        #expect(table.map(\.phase) == [.member, .closing, .member])
        #expect(step.closes == ending.closes)
        #expect(step.news == ending.news)
        #expect(step.farewells == [], "the goodbye goes out at the end of the step")
        // Calls for a link that was closed have no effect.
        table[1].close(saying: .busy, into: &step)
        table.all.lost(LinkID(2), "closed", into: &step)
        #expect(step.closes == ending.closes)
        #expect(step.news == ending.news)
        #expect(table[1].outbox.takeFrames() == ending.frames)
        for other in [0, 2] { #expect(table[other].outbox.takeFrames() == []) }
    }

    @Test func anUnknownConnectionIsNotLost() {
        var table = table
        var step = Step(at: .start)
        table.all.lost(LinkID(4), "reset", into: &step)
        #expect(table.allSatisfy { $0.isMember })
        #expect(step.news == [])
    }

    @Test func aNoticeNamesTheDeviceAndItsAddress() throws {
        var table = table
        var step = Step(at: .start)
        table.refuse(.badProof, on: 1, into: &step)
        guard case .refused(_, let device, let address, _) = step.effects.deliveries[0],
            case .link(let notice) = step.effects.deliveries[1]
        else {
            Issue.record("other deliveries: \(step.effects.deliveries)")
            return
        }
        #expect([device, notice.device] == [DeviceID(seed: 3), DeviceID(seed: 3)])
        #expect([address, notice.address] == ["sample", "sample"])
    }

    /// The reason that a peer is told when it broke the protocol.
    @Test(arguments: [
        Reason(.malformed(.truncated), .malformed),
        Reason(.unexpected(7), .malformed),
        Reason(.uncertified, .forged),
        Reason(.badCertificate, .forged),
        Reason(.badProof, .forged),
        Reason(.badBlob, .forged),
        Reason(.overLimit("tags"), .overLimit),
        Reason(.incompatible(2...3), .incompatible),
    ])
    func aRefusalHasAReason(_ reason: Reason) {
        var table = table
        var step = Step(at: .start)
        table.refuse(reason.refusal, on: 0, into: &step)
        #expect(table[0].outbox.takeFrames() == .goodbye(reason.goodbye, reason.refusal.sentence))
    }

    struct Reason: Sendable {
        let refusal: ParleyCore.Refusal
        let goodbye: GoodbyeReason

        init(_ refusal: ParleyCore.Refusal, _ goodbye: GoodbyeReason) {
            self.refusal = refusal
            self.goodbye = goodbye
        }
    }

    // MARK: Several links

    private let overflow = ParleyCore.Refusal.overLimit(
        "more is on its way to the peer than it takes"
    )

    @Test func linksThatOverflowEndInOrder() {
        var table = table
        // Bytes that the kernel has not taken yet count as well.
        table[0].outbox.bytes = [UInt8](repeating: 0, count: Outbox.bytesMax)
        _ = table[0].outbox.take()
        table[1].outbox.bytes = [UInt8](repeating: 0, count: Outbox.bytesMax)
        var step = Step(at: .start)
        table.endOverflowing(into: &step)
        #expect(step.news == [])
        for index in [2, 1, 0] { table[index].outbox.bytes.append(0) }
        table.endOverflowing(into: &step)
        #expect(
            step.news == [
                .refused(1, overflow), .closed(1, .said(.overLimit, overflow.sentence)),
                .refused(2, overflow), .closed(2, .said(.overLimit, overflow.sentence)),
            ]
        )
        #expect(table.map(\.phase) == [.closing, .closing, .member])
        table.endOverflowing(into: &step)
        #expect(step.closes.map(\.link) == [1, 2])
    }

    @Test func whenTheNodeStopsAllLinksEndInOrder() {
        var table = table
        _ = table.all.insert(Link(4))
        _ = table.all.insert(Link(5).closing())
        #expect(!table.isStopping)
        var step = Step(at: .start)
        table.stop(into: &step)
        table.stop(into: &step)
        #expect(table.isStopping)
        #expect(step.closes == (1...4).map { ClosedLink($0, saying: .stopping) })
        #expect(step.news == (1...4).map { .closed($0, .said(.stopping, "")) })
        let frames = table.indices.map { table[$0].outbox.takeFrames() }
        #expect(frames == [[Frame]](repeating: .goodbye(.stopping), count: 4) + [[]])
    }

    /// The last bytes of links that end come behind those of links that stay, each link's own
    /// bytes in their order.
    @Test func farewellsAreHandedOverLast() {
        var table = table
        var step = Step(at: .start)
        table[0].outbox.append(.ping(1))
        table[1].outbox.append(.ping(2))
        table[2].outbox.append(.ping(3))
        table[1].close(saying: .silent, into: &step)
        table[0].close(saying: .busy, into: &step)
        #expect(table.removeClosing(into: &step).map(\.id.value) == [1, 2])
        #expect(table.map(\.id.value) == [3])
        table.handOver(into: &step)
        #expect(step.effects.sends.map(\.link.value) == [3, 1, 2])
        #expect(
            step.effects.sends.map { [Frame](decoding: [$0.bytes]) } == [
                [.ping(3)], [.ping(1)] + .goodbye(.busy), [.ping(2)] + .goodbye(.silent),
            ]
        )
        #expect(step.closes.map(\.link) == [2, 1], "as they ended")
    }

    // MARK: Remains of ended links

    /// An author was to push an envelope on link 1, which peer 3 announced, and link 2 may lead to
    /// the author as well.
    @Test(arguments: [
        Successor("another link of the author", to: 2, asksTheNext: false),
        Successor("a silent link of the author", to: 2, isSuspect: true, asksTheNext: true),
        Successor("a link to another device", to: 5, asksTheNext: true),
    ])
    func anEndedLinkIsExpectedToBringNothing(_ successor: Successor) throws {
        let ada = SimulatedAuthor(writer: 2)
        var conversations = SampleTable([1, 2], writers: [ada]).table
        var other = Link(2, to: successor.device).greeted(sharing: [one])
        if successor.isSuspect { other = other.suspected(at: .start) }
        let table = LinkTable([other, Link(3, to: 4).greeted(sharing: [one])])
        let entry = SampleConversation().entry(try ada.writes("s"))
        conversations[0].wants.expected(entry, from: LinkID(1), announcedBy: LinkID(3), at: .start)
        let ended = Link(1, to: 2).greeted(sharing: [one, SampleConversation.other(9)])
        table.all.forget(ended, in: &conversations, at: .start)
        let asks = conversations[0].wants.overdue(at: .start, news: [:])
        #expect(asks.map(\.holder) == (successor.asksTheNext ? [LinkID(3)] : []))
        #expect(conversations[0].wants.holders(of: entry.name) == [LinkID(3)])
    }

    /// The device of link 2, and whether peer 3 is asked at once.
    struct Successor: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let device: UInt64
        let isSuspect: Bool
        let asksTheNext: Bool

        init(_ name: String, to device: UInt64, isSuspect: Bool = false, asksTheNext: Bool) {
            testDescription = name
            self.device = device
            self.isSuspect = isSuspect
            self.asksTheNext = asksTheNext
        }
    }

    /// The meaning of a link's end for the next dial to its device.
    @Test(arguments: [
        Loss("a member", .member),
        Loss("a member, so soon that it may go on", lasting: 999, .other),
        Loss("a stranger", isMember: false, .other),
        Loss("a member without a slot for it", saying: .busy, .turnedAway(.onlyLink)),
        Loss("a member that does not need it", saying: .spare, .member),
        Loss("one that neither needs", saying: .spare, isSpareHere: true, .other, isSpare: true),
    ])
    func theNextDialFollowsFromTheEnd(_ loss: Loss) throws {
        var link = Link(2, to: 3).greeted(sharing: loss.isMember ? [one] : [])
        link.isSpare.here = loss.isSpareHere
        var table = LinkTable([link])
        var step = Step(at: .start)
        table[0].heard(Goodbye(reason: loss.reason), into: &step)
        let ended = try #require(table.all.removeClosing().first)
        let answer = table.loss(of: ended, at: .start + .milliseconds(loss.lasting))
        #expect(answer == loss.answer)
        #expect(table.mesh.passiveView.peers.map(\.device) == (loss.isSpare ? [ended.device] : []))
    }

    /// How a link ended that was so many milliseconds old, the answer, and whether its peer is
    /// remembered as a spare one.
    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: GoodbyeReason
        let isMember: Bool
        let lasting: Int64
        let isSpareHere: Bool
        let answer: Dialer.Loss
        let isSpare: Bool

        init(
            _ name: String,
            saying reason: GoodbyeReason = .stopping,
            isMember: Bool = true,
            lasting: Int64 = 1_000,
            isSpareHere: Bool = false,
            _ answer: Dialer.Loss,
            isSpare: Bool = false
        ) {
            testDescription = name
            self.reason = reason
            self.isMember = isMember
            self.lasting = lasting
            self.isSpareHere = isSpareHere
            self.answer = answer
            self.isSpare = isSpare
        }
    }

    @Test func originsThatOnlyAnEndedLinkIntroducedAreForgotten() throws {
        var sample = SampleTable([1])
        var table = LinkTable([Link(1), Link(2)])
        let writers = [3, 4].map { SimulatedAuthor(writer: $0) }
        for (writer, links) in zip(writers, [[0], [0, 1]]) {
            for link in links {
                try table.all.originReceived(
                    writer.record,
                    of: 0,
                    on: link,
                    in: &sample.table,
                    using: sample.crypto
                )
            }
        }
        table[0].phase = .closing
        for ended in table.all.removeClosing() {
            table.all.forget(ended, in: &sample.table, at: .start)
        }
        let areForgotten = writers.map { sample.table[0].origins[$0.origin] == nil }
        #expect(areForgotten == [true, false])
    }

    // MARK: Outboxes

    /// The capacity of an outbox here is 1 MiB.
    @Test func drainsAreAskedForAtHalfOfTheCapacity() {
        var table = table
        let half = table[0].outbox.capacity / 2
        table[0].outbox.bytes = [UInt8](repeating: 0, count: half - 1)
        table[1].outbox.bytes = [UInt8](repeating: 0, count: half)
        table[2].outbox.bytes = [0]
        table[2].outbox.isAwaitingCapacity = true
        var drains: [[UInt64]] = []
        for _ in 0..<2 {
            var step = Step(at: .start)
            table.handOver(into: &step)
            drains.append(step.effects.drains.map(\.value))
        }
        #expect(half == 512 << 10)
        #expect(drains == [[2, 3], []])
        table.all.drained(LinkID(2))
        table.all.drained(LinkID(4))
        #expect(table.map(\.outbox.pending) == [half - 1, 0, 1])
    }
}
