import ParleyCore
import Testing

/// The fate of two links to one device once one of them was asked whether it still works.
@Suite struct DuplicateCheckTests {
    private static let one = SampleConversation().conversation
    private static let now = Moment.start + .seconds(60)
    private static let deadline = now + .seconds(2)

    /// A member's link to a process of device 2.
    private static func member(
        _ number: UInt64,
        nonce: UInt64 = 1,
        openedAt: Moment = .start
    ) -> Link {
        var link = Link(number, to: 2, at: openedAt).greeted(nonce: nonce, sharing: [one])
        link.liveness.heard(at: now)
        return link
    }

    /// The links of a device that decides which link stays, unless it `isHigher` not.
    private static func list(_ links: [Link], isHigher: Bool = true) -> LinkList {
        list(links, of: DeviceID(isHigher ? Bytes32(.max, 0, 0, 0) : .zero), nonce: 9)
    }

    /// The links of a process of a device.
    private static func list(_ links: [Link], of device: DeviceID, nonce: UInt64) -> LinkList {
        var list = LinkList(own: LinkList.Process(device: device, nonce: nonce))
        for link in links { _ = list.insert(link) }
        return list
    }

    @Test func timesAreThoseOfTheProtocol() {
        #expect(DuplicateCheck.patience == .seconds(2))
        #expect(DuplicateCheck.established == .seconds(10))
    }

    // MARK: A link becomes a member's

    /// Links of which one became a member's just now, and what follows.
    struct Meeting: Sendable, CustomTestStringConvertible {
        let name: String
        let links: [Link]
        /// The index of the new member's link.
        let newcomer: Int
        let isHigher: Bool
        /// The numbers of the links that are pinged.
        let asked: [UInt64]
        /// The numbers of the links that are closed as duplicates, in order.
        let closed: [UInt64]

        init(
            _ name: String,
            _ links: [Link],
            newcomer: Int? = nil,
            isHigher: Bool = true,
            asked: [UInt64] = [],
            closed: [UInt64] = []
        ) {
            self.name = name
            self.links = links
            self.newcomer = newcomer ?? links.count - 1
            self.isHigher = isHigher
            self.asked = asked
            self.closed = closed
        }

        var testDescription: String { name }
    }

    static let meetings: [Meeting] = [
        Meeting("the only link", [member(1)]),
        Meeting("an established link is asked", [member(1), member(2)], asked: [1]),
        Meeting("the other side decides", [member(1), member(2)], isHigher: false),
        Meeting(
            "a young link carries the feeds already",
            [member(1, openedAt: now), member(2)],
            closed: [2]
        ),
        Meeting(
            "the first to become a member's carries the feeds, not the first to be opened",
            [member(1, openedAt: now), member(2, openedAt: now)],
            newcomer: 0,
            closed: [1]
        ),
        Meeting(
            "a link that does not answer makes way",
            [member(1).suspected(at: now), member(2)],
            closed: [1]
        ),
        Meeting(
            "two links that do not answer make way",
            [member(1).suspected(at: now), member(2).suspected(at: now), member(3)],
            closed: [1, 2]
        ),
        Meeting(
            "a link to another process is asked by the higher side",
            [member(1, nonce: 7), member(2)],
            asked: [1]
        ),
        Meeting(
            "and by the lower side",
            [member(1, nonce: 7), member(2)],
            isHigher: false,
            asked: [1]
        ),
        Meeting(
            "links to several processes, and one to the same",
            [member(1, nonce: 7), member(2), member(3, nonce: 8), member(4)],
            asked: [1, 2, 3]
        ),
        Meeting(
            "strangers and other devices have no part",
            [
                Link(1, to: 2).greeted(nonce: 1), Link(2, to: 2).greeted(nonce: 7),
                Link(3, to: 3).greeted(sharing: [one]), member(4),
            ]
        ),
        Meeting(
            "a link is established after 10 s",
            [member(1, openedAt: .start + .seconds(50)), member(2)],
            asked: [1]
        ),
        Meeting(
            "and not before",
            [member(1, openedAt: .start + .milliseconds(50_001)), member(2)],
            closed: [2]
        ),
    ]

    @Test(arguments: meetings)
    func aNewMembersLinkMeetsTheOthers(_ meeting: Meeting) {
        var list = Self.list(meeting.links, isHigher: meeting.isHigher)
        var step = Step(at: Self.now)
        var random = CountingNumbers()
        list.becameMember(meeting.newcomer, into: &step, random: &random)
        #expect(step.closes == meeting.closed.map { ClosedLink($0, saying: .duplicate) })
        for index in list.indices {
            let number = list[index].id.value
            let isAsked = meeting.asked.contains(number)
            #expect((list[index].duplicate != nil) == isAsked, "link \(number)")
            let isPinged = list[index].outbox.takeFrames().contains { frame in
                if case .ping = frame { true } else { false }
            }
            #expect(isPinged == isAsked, "link \(number)")
        }
    }

    @Test func betweenProcessesOfOneDeviceTheHigherNonceDecides() {
        let links = [Self.member(1, openedAt: Self.now), Self.member(2, openedAt: Self.now)]
        for (nonce, closed) in [(UInt64(0), []), (1, []), (2, [UInt64(2)])] {
            var list = Self.list(links, of: DeviceID(seed: 2), nonce: nonce)
            var step = Step(at: Self.now)
            var random = CountingNumbers()
            list.becameMember(1, into: &step, random: &random)
            #expect(step.closes.map(\.link) == closed, "nonce \(nonce)")
        }
    }

    /// While a link is being asked, it is not asked again: a newer one waits, and a third one goes.
    @Test func aLinkIsAskedOnce() {
        var list = Self.list([Self.member(1), Self.member(2)])
        var step = Step(at: Self.now)
        var random = CountingNumbers()
        for _ in 0..<2 { list.becameMember(1, into: &step, random: &random) }
        #expect(list[0].duplicate?.rival == LinkID(2))
        #expect(list[0].duplicate?.deadline == Self.deadline)
        #expect(list[0].outbox.takeFrames().count == 1)
        #expect(step.closes == [])
        _ = list.insert(Self.member(3))
        list.becameMember(2, into: &step, random: &random)
        #expect(step.closes == [ClosedLink(3, saying: .duplicate)])
    }

    @Test func anotherProcessIsAskedOnce() {
        var list = Self.list([Self.member(1, nonce: 7), Self.member(2)])
        var step = Step(at: Self.now)
        var random = CountingNumbers()
        for _ in 0..<2 { list.becameMember(1, into: &step, random: &random) }
        #expect(list[0].duplicate?.rival == LinkID(2))
        #expect(list[0].outbox.takeFrames().count == 1)
        #expect(list[1].duplicate == nil)
    }

    // MARK: The link that was asked

    /// Links of which the first was asked because of link 2, and how that ends.
    struct Check: Sendable, CustomTestStringConvertible {
        enum Ending: Sendable {
            case pong
            /// Nothing came within this time.
            case silence(Interval)
        }

        let name: String
        /// The second process of the device, or the same one.
        let matter: DuplicateCheck.Matter
        let ending: Ending
        /// Whether link 2 ended meanwhile.
        let isRivalGone: Bool
        /// Whether link 3, of the first link's process, became a member's meanwhile.
        let hasThird: Bool
        let news: [LinkNews]
        /// The numbers of the links that are asked after that.
        let asked: [UInt64]

        init(
            _ name: String,
            _ matter: DuplicateCheck.Matter,
            _ ending: Ending,
            isRivalGone: Bool = false,
            hasThird: Bool = false,
            news: [LinkNews] = [],
            asked: [UInt64] = []
        ) {
            self.name = name
            self.matter = matter
            self.ending = ending
            self.isRivalGone = isRivalGone
            self.hasThird = hasThird
            self.news = news
            self.asked = asked
        }

        var testDescription: String { name }
    }

    private static func closed(_ link: UInt64) -> LinkNews {
        .closed(link, .said(.duplicate, ""))
    }

    static let checks: [Check] = [
        Check("it answers: the newer one goes", .sameProcess, .pong, news: [closed(2)]),
        Check("it answers: the newer one is gone", .sameProcess, .pong, isRivalGone: true),
        Check(
            "it answers: a third one was opened, so that it is asked again",
            .sameProcess,
            .pong,
            isRivalGone: true,
            hasThird: true,
            asked: [1]
        ),
        Check(
            "it does not answer: it goes",
            .sameProcess,
            .silence(.seconds(2)),
            news: [closed(1)]
        ),
        Check(
            "it does not answer: the newer one is gone, so that it stays",
            .sameProcess,
            .silence(.seconds(2)),
            isRivalGone: true
        ),
        Check(
            "it does not answer: a third one was opened",
            .sameProcess,
            .silence(.seconds(2)),
            isRivalGone: true,
            hasThird: true,
            news: [closed(1)]
        ),
        Check(
            "it does not answer: of the others the older one is asked",
            .sameProcess,
            .silence(.seconds(2)),
            hasThird: true,
            news: [closed(1)],
            asked: [2]
        ),
        Check(
            "it has not answered yet",
            .sameProcess,
            .silence(.milliseconds(1_999)),
            asked: [1]
        ),
        Check(
            "both processes answer: they have the same key",
            .otherProcess,
            .pong,
            news: [.duplicateIdentity(DeviceID(seed: 2), address: "sample")]
        ),
        Check("the other process went first", .otherProcess, .pong, isRivalGone: true),
        Check(
            "the older process is gone",
            .otherProcess,
            .silence(.seconds(2)),
            news: [closed(1)]
        ),
        Check(
            "the older process is silent and the newer one gone",
            .otherProcess,
            .silence(.seconds(2)),
            isRivalGone: true
        ),
        Check(
            "the older process is silent and has another link",
            .otherProcess,
            .silence(.seconds(2)),
            isRivalGone: true,
            hasThird: true
        ),
        Check(
            "the older process has not answered yet",
            .otherProcess,
            .silence(.milliseconds(1_999)),
            asked: [1]
        ),
    ]

    @Test(arguments: checks)
    func theAskedLinkSettlesIt(_ check: Check) throws {
        var random = CountingNumbers()
        let nonce: UInt64 = check.matter == .sameProcess ? 1 : 7
        var list = Self.list([Self.member(1), Self.member(2, nonce: nonce)])
        var begin = Step(at: Self.now)
        list.becameMember(1, into: &begin, random: &random)
        #expect(list[0].duplicate?.matter == check.matter)
        if check.isRivalGone { list.lost(LinkID(2), "reset", into: &begin) }
        if check.hasThird { _ = list.insert(Self.member(3)) }
        _ = list.removeClosing()
        for index in list.indices { _ = list[index].outbox.take() }

        var step = Step(at: Self.now + .seconds(1))
        if case .silence(let time) = check.ending { step.now = Self.now + time }
        for index in list.indices { list[index].liveness.heard(at: step.now) }
        switch check.ending {
        case .pong: list.pongReceived(on: 0, into: &step, random: &random)
        case .silence:
            _ = list.meetDeadlines(of: 0, isPairing: false, into: &step, random: &random)
        }
        #expect(step.news == check.news)
        let asked = list.filter { $0.duplicate != nil }.map(\.id.value)
        #expect(asked == check.asked)
    }
}
