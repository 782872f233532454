import ParleyCore
import Testing

/// A newcomer gets a slot among the links, or the slot of another one, or none.
@Suite struct LinkSlotsTests {

    /// At 100 s, a node with three slots is met by a newcomer from `n`.
    @Test(arguments: Meeting.all)
    func aNewcomerIsAnswered(_ meeting: Meeting) {
        let slots = LinkSlots(meeting.holders, countMax: 3)
        let now = Moment.start + .seconds(100)
        #expect(slots.admission(of: meeting.newcomer, at: now) == meeting.admission)
    }

    /// The links of a node, a newcomer, and the answer to it.
    struct Meeting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let holders: [LinkSlots.Holder]
        var newcomer = LinkSlots.Newcomer(source: "n")
        let admission: LinkSlots.Admission

        init(
            _ name: String,
            _ holders: [LinkSlots.Holder],
            isInNeed: Bool = true,
            isOpen: Bool = false,
            _ admission: LinkSlots.Admission
        ) {
            testDescription = name
            self.holders = holders
            newcomer.needsSlot = isInNeed
            newcomer.sharesOnlyOpen = isOpen
            self.admission = admission
        }

        static let all = free + merits + kept + crowds + open
    }
}

extension LinkSlotsTests.Meeting {
    private static let a = LinkSlots.Holder.at("a")
    private static let b = LinkSlots.Holder.at("b")
    private static let c = LinkSlots.Holder.at("c")
    private static let n = LinkSlots.Holder.at("n")

    private static let free = [
        Self("the first one", [], isInNeed: false, .admitted),
        Self("a free slot", [a, b], isInNeed: false, .admitted),
        Self("a free slot for one in need", [a, b], .admitted),
        Self("no slot without need", [a, b, c], isInNeed: false, .turnedAway),
        Self("more links than slots", [a, b, c, .at("d")], isInNeed: false, .turnedAway),
    ]

    /// The link that is missed least; the newcomer gets its slot.
    private static let merits = [
        Self("the oldest of equals", [b.opened(3), a.opened(2), c.opened(4)], .replaces(1)),
        Self("the first of duplicates", [a, b, c], .replaces(0)),
        Self("a silent one", [a, b, c.suspect().brought(99)], .replaces(2)),
        Self("an open one, though it delivers", [a, b.openOnly().brought(99), c], .replaces(1)),
        Self("who only announced", [a.brought(9), b.opened(50), c.brought(9)], .replaces(1)),
        Self(
            "who only announced, though it is the only way",
            [a.reachable().brought(9), b.opened(50), c.reachable().brought(9)],
            .replaces(1)
        ),
        Self("a second link to a neighbourhood", [a, b, c.reachable().opened(90)], .replaces(2)),
        Self(
            "a second link of those that deliver",
            [a.brought(10), b.brought(99).reachable(), c.brought(10)],
            .replaces(1)
        ),
        Self("the longest without news", [a.brought(9), b.brought(7), c.brought(8)], .replaces(1)),
    ]

    /// The links that keep their slots.
    private static let kept = [
        Self("the young", [a.opened(95), b.opened(96), c.opened(96)], .replaces(0)),
        Self("all young", [a.opened(96), b.opened(96), c.opened(96)], .turnedAway),
        Self(
            "the useful, against a burst",
            [a.brought(9), b.opened(97), c.opened(96)],
            .replaces(2)
        ),
        Self(
            "not the useful, if the young are of use as well",
            [a.brought(9), b.opened(97).brought(98), c.opened(96).brought(99)],
            .replaces(0)
        ),
        Self(
            "the young, against one that was of no use",
            [a.opened(9), b.opened(97), c.opened(96)],
            .replaces(0)
        ),
        Self("a young silent one does not", [a, b, c.opened(99).suspect()], .replaces(2)),
        Self("the only links", [a.onlyLink(), b.onlyLink(), c.onlyLink()], .turnedAway),
        Self("those that deliver", [a.brought(41), b.brought(99), c.brought(60)], .turnedAway),
        Self("for a minute", [a.brought(41), b.brought(40), c.brought(60)], .replaces(1)),
    ]

    /// Nobody takes more slots by coming from one address with many devices.
    private static let crowds = [
        Self("one of its own", [n, a, b], .replaces(0)),
        Self("the least of equal sources", [a.brought(9), n, b.brought(9)], .replaces(1)),
        Self("not from who has fewer", [n.opened(99), a, b], .turnedAway),
        Self("not from who has one of three", [a, n.opened(99), n.opened(99)], .turnedAway),
        Self("from who has the most", [b, a.opened(50), a.opened(60)], .replaces(1)),
        Self(
            "from who has more",
            [n.opened(99), b, b.opened(9)],
            .replaces(1)
        ),
    ]

    /// Half of the slots, here one, are for peers that share only open conversations.
    private static let open = [
        Self("its half", [a, b], isOpen: true, .admitted),
        Self("no more", [a, b.openOnly()], isInNeed: false, isOpen: true, .turnedAway),
        Self("another open one", [a, b.openOnly()], isOpen: true, .replaces(1)),
        Self("never a closed one", [a, b, c], isOpen: true, .turnedAway),
        Self("not the only open one", [a, b.openOnly().onlyLink()], isOpen: true, .turnedAway),
        Self("who proved more does", [a, b, c.openOnly().onlyLink()], .replaces(2)),
    ]
}

extension LinkSlots.Holder {
    /// A link to a peer at an address, opened at the start.
    fileprivate static func at(_ source: String) -> Self { Self(source: source) }

    fileprivate func opened(_ second: Int64) -> Self {
        with { $0.openedAt = .start + .seconds(second) }
    }

    fileprivate func brought(_ second: Int64) -> Self {
        with { $0.broughtNews = .start + .seconds(second) }
    }

    fileprivate func suspect() -> Self { with { $0.isSuspect = true } }

    fileprivate func openOnly() -> Self { with { $0.sharesOnlyOpen = true } }

    fileprivate func onlyLink() -> Self { with { $0.isOnlyLink = true } }

    fileprivate func reachable() -> Self { with { $0.isReachable = true } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var holder = self
        change(&holder)
        return holder
    }
}
