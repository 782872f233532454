import ParleyCore
import ParleyFaults
import Testing

/// A link table acts on a link when its deadlines come.
@Suite struct LinkTableLivenessTests {
    private static let one = SampleConversation().conversation

    // MARK: One deadline

    /// The actions that are due on a link at a moment.
    struct Due: Sendable, CustomTestStringConvertible {
        let name: String
        let link: Link
        let milliseconds: Int64
        var overdue: LinkList.Overdue?
        var frames: [Frame] = []
        var news: [LinkNews] = []

        init(
            _ name: String,
            _ link: Link,
            at milliseconds: Int64,
            _ overdue: LinkList.Overdue? = nil,
            frames: [Frame] = [],
            news: [LinkNews] = []
        ) {
            self.name = name
            self.link = link
            self.milliseconds = milliseconds
            self.overdue = overdue
            self.frames = frames
            self.news = news
        }

        /// The link is closed, and its peer is told why.
        init(
            _ name: String,
            _ link: Link,
            at milliseconds: Int64,
            closed reason: GoodbyeReason,
            _ text: String,
            _ overdue: LinkList.Overdue? = nil
        ) {
            self.init(
                name,
                link,
                at: milliseconds,
                overdue,
                frames: .goodbye(reason, text),
                news: [.closed(1, .said(reason, text))]
            )
        }

        var testDescription: String { name }
    }

    static let deadlines: [Due] = [
        Due("no hello yet", Link(1), at: 4_999),
        Due("no hello", Link(1), at: 5_000, closed: .silent, "no hello"),
        Due(
            "no hello on a link that was dialled",
            Link(1, dial: DialID(1)),
            at: 5_000,
            closed: .silent,
            "no hello"
        ),
        Due("nothing shared yet", Link(1, dial: DialID(1)).greeted(), at: 4_999),
        Due(
            "nothing shared on a link that the peer dialled",
            Link(1).greeted(),
            at: 5_000,
            closed: .nothingShared,
            "no conversation is shared"
        ),
        Due(
            "nothing shared at an address",
            Link(1, dial: DialID(1)).greeted(),
            at: 5_000,
            closed: .nothingShared,
            "no conversation is shared",
            .sharesNothing(address: "sample")
        ),
        Due(
            "a member's link has no such deadline",
            Link(1, dial: DialID(1)).greeted(sharing: [one]),
            at: 5_000,
            frames: [.ping(1)]
        ),
        Due("nothing is due on a link that ends", Link(1).greeted().closing(), at: 60_000),
        Due(
            "an answer is overdue",
            Link(1).greeted(sharing: [one]).expecting(),
            at: 500,
            frames: [.ping(1)]
        ),
        Due(
            "a member does not answer",
            Link(1).greeted(sharing: [one]).expecting(),
            at: 1_000,
            .suspected(DeviceID(seed: 2), isMember: true),
            frames: [.ping(1)],
            news: [.suspected(1)]
        ),
        Due(
            "a stranger does not answer",
            Link(1).greeted().expecting(),
            at: 1_000,
            .suspected(DeviceID(seed: 2), isMember: false),
            frames: [.ping(1)],
            news: [.suspected(1)]
        ),
        Due(
            "a link is dead, suspect or not",
            Link(1).greeted(sharing: [one]).expecting(),
            at: 15_000,
            closed: .silent,
            "nothing was heard for 15 s"
        ),
    ]

    @Test(arguments: deadlines)
    func deadlinesAreMet(_ due: Due) {
        var table = LinkTable([due.link])
        var step = Step(at: Moment(milliseconds: due.milliseconds))
        var random = CountingNumbers()
        let overdue = table.meetDeadlines(of: 0, into: &step, random: &random)
        #expect(overdue == due.overdue)
        #expect(table[0].outbox.takeFrames() == due.frames)
        #expect(step.news == due.news)
        let hasEnded = !due.news.isEmpty && due.news != [.suspected(1)]
        #expect(step.closes.map(\.link) == (hasEnded ? [1] : []))
    }

    /// When one link is pinged for its silence, so are the others that would be soon, and with them
    /// the node wakes up once.
    @Test func pingsOfSilentLinksGoTogether() {
        let pinged = Link(5, to: 6).greeted(sharing: [Self.one]).pinged()
        var table = LinkTable([
            Link(1, at: .start).greeted(sharing: [Self.one]),
            Link(2, to: 3, at: Moment(milliseconds: 1_000)).greeted(sharing: [Self.one]),
            Link(3, to: 4, at: Moment(milliseconds: 1_001)).greeted(sharing: [Self.one]),
            Link(4, to: 5).greeted(),
            pinged,
        ])
        var step = Step(at: Moment(milliseconds: 5_000))
        var random = CountingNumbers()
        _ = table.meetDeadlines(of: 0, into: &step, random: &random)
        #expect(table[0].outbox.takeFrames() == [.ping(1)])
        #expect(table[1].outbox.takeFrames() == [.ping(2)], "silent for 4 s")
        #expect(table[2].outbox.takeFrames() == [], "silent for less")
        #expect(table[3].outbox.takeFrames() == [], "a stranger's")
        #expect(table[4].outbox.takeFrames() == [], "its pong is awaited")
        _ = table.meetDeadlines(of: 1, into: &step, random: &random)
        #expect(table[1].outbox.takeFrames() == [], "pinged already")
    }

    /// The address that is not worth dialling again soon.
    @Test(arguments: [
        Unshared(Link(1, dial: DialID(1)).greeted(), "sample"),
        Unshared(Link(1, dial: DialID(1)), "sample"),
        Unshared(Link(1).greeted(), nil),
        Unshared(Link(1, dial: DialID(1)).greeted(sharing: [one]), nil),
    ])
    func anAddressIsUnsharedIfThisSideDialledIt(_ unshared: Unshared) {
        #expect(unshared.link.unsharedAddress == unshared.address)
    }

    struct Unshared: Sendable {
        let link: Link
        let address: String?

        init(_ link: Link, _ address: String?) {
            self.link = link
            self.address = address
        }
    }

    // MARK: A member's silences

    /// The events on a member's link at a moment.
    struct Event: Sendable {
        enum Input: Sendable {
            case timer
            /// Bytes came.
            case heard
            case pong
        }

        let input: Input
        let milliseconds: Int64
        var frames: [Frame] = []
        var news: [LinkNews] = []
        /// When something is due next, in milliseconds.
        let deadline: Int64?

        init(
            _ input: Input,
            at milliseconds: Int64,
            _ frames: [Frame] = [],
            _ news: [LinkNews] = [],
            deadline: Int64?
        ) {
            self.input = input
            self.milliseconds = milliseconds
            self.frames = frames
            self.news = news
            self.deadline = deadline
        }
    }

    private static let silence = "nothing was heard for 15 s"

    @Test(arguments: [
        [
            Event(.timer, at: 4_999, deadline: 5_000),
            Event(.timer, at: 5_000, [.ping(1)], deadline: 6_000),
            Event(.timer, at: 5_999, deadline: 6_000),
            Event(.timer, at: 6_000, [.ping(2)], [.suspected(1)], deadline: 15_000),
            Event(.timer, at: 14_999, deadline: 15_000),
            Event(
                .timer,
                at: 15_000,
                .goodbye(.silent, silence),
                [.closed(1, .said(.silent, silence))],
                deadline: 15_000
            ),
        ],
        // It answers again, and is suspected again when it falls silent again.
        [
            Event(.timer, at: 5_000, [.ping(1)], deadline: 6_000),
            Event(.timer, at: 6_000, [.ping(2)], [.suspected(1)], deadline: 15_000),
            Event(.heard, at: 7_000, deadline: 22_000),
            Event(.pong, at: 7_000, deadline: 12_000),
            Event(.timer, at: 12_000, [.ping(3)], deadline: 13_000),
            Event(.timer, at: 13_000, [.ping(4)], [.suspected(1)], deadline: 22_000),
        ],
        // Bytes that are no pong are an answer too, but a pong is still awaited.
        [
            Event(.timer, at: 5_000, [.ping(1)], deadline: 6_000),
            Event(.heard, at: 5_500, deadline: 20_500),
            Event(.timer, at: 11_000, deadline: 20_500),
            Event(.pong, at: 11_500, deadline: 10_500),
            Event(.timer, at: 11_500, [.ping(2)], deadline: 12_500),
        ],
    ])
    func silenceOfAMember(_ events: [Event]) {
        var table = LinkTable([Link(1).greeted(sharing: [Self.one])])
        var random = CountingNumbers()
        for event in events {
            let now = Moment(milliseconds: event.milliseconds)
            var step = Step(at: now)
            switch event.input {
            case .heard: table[0].received(.empty, at: now)
            case .pong: table.all.pongReceived(on: 0, into: &step, random: &random)
            case .timer: _ = table.meetDeadlines(of: 0, into: &step, random: &random)
            }
            #expect(table[0].outbox.takeFrames() == event.frames, "\(event)")
            #expect(step.news == event.news, "\(event)")
            #expect(table.deadline?.milliseconds == event.deadline, "\(event)")
        }
    }

    /// The kernel is asked for the receipt of what needs no answer, and the peer is pinged without
    /// one.
    @Test func aPeerWhoseMachineAcknowledgesNothingIsPinged() {
        var silent = Link(1).greeted(sharing: [Self.one])
        silent.liveness.expectsReceipt(at: .start)
        var table = LinkTable([silent, Link(2, to: 3).greeted(sharing: [Self.one])])
        var step = Step(at: Moment(milliseconds: 500))
        var random = CountingNumbers()
        for index in table.indices {
            _ = table.meetDeadlines(of: index, into: &step, random: &random)
        }
        #expect(step.effects.receipts == [LinkID(1)])
        #expect(table[0].outbox.takeFrames() == [], "it may have acknowledged it")
        for link in [LinkID(1), LinkID(1), LinkID(2), LinkID(3)] {
            table.all.unacknowledged(link, at: step.now, random: &random)
        }
        #expect(table[0].outbox.takeFrames() == [.ping(1)], "once")
        #expect(table[1].outbox.takeFrames() == [], "the kernel was not asked about it")
        step = Step(at: Moment(milliseconds: 1_000))
        let overdue = table.meetDeadlines(of: 0, into: &step, random: &random)
        #expect(overdue == .suspected(DeviceID(seed: 2), isMember: true))
    }

    @Test func aPongAllowsTheNextPing() {
        var table = LinkTable([Link(1), Link(2)])
        var step = Step(at: .start + .milliseconds(30))
        var random = CountingNumbers()
        table[1].ping(random.next(), at: .start)
        table.all.pongReceived(on: 0, into: &step, random: &random)
        table.all.pongReceived(on: 1, into: &step, random: &random)
        #expect(step.news == [])
        #expect(table[1].outbox.takeFrames() == [.ping(1)])
    }
}

extension Link {
    /// The same, which has to answer something since the start.
    fileprivate func expecting() -> Link {
        var link = self
        link.liveness.expectsAnswer(at: .start)
        return link
    }

    /// The same, which was pinged at the start.
    fileprivate func pinged() -> Link {
        var link = self
        link.liveness.pingSent(at: .start)
        return link
    }
}
