import ParleyCore
import Testing

/// The peers that a node asks for an envelope that it lacks, when, and for how long.
struct WantTableTests {
    @Test(arguments: histories)
    func asksHoldersInTurn(_ history: History) {
        var table = WantTable()
        for (index, step) in history.steps.enumerated() {
            let answer = step.perform(on: &table)
            #expect(answer == step.answer, "\(history.name), step \(index)")
        }
    }

    @Test func looksForOverdueOnesAtItsDeadlineOnly() {
        var table = WantTable()
        #expect(!table.isDue(at: .start + .seconds(100)))
        let isAsked = table.announced(HaveEntry(1), by: LinkID(1), at: .start)
        #expect(isAsked)
        let times = [0, 999, 1_000, 1_001].map { Moment(milliseconds: $0) }
        #expect(times.map { table.isDue(at: $0) } == [false, false, true, true])
        table.settled(HaveEntry(1).name)
        #expect(table.overdue(at: times[2], news: [:]).isEmpty)
        #expect(!table.isDue(at: times[3]))
    }

    static let histories: [History] = [
        History(
            "the peer that announces it is asked at once, the next one after 1 s",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .announced(1, by: 2, at: 100, asksNow: false, deadline: 1_000),
            .announced(1, by: 2, at: 200, asksNow: false, deadline: 1_000),
            .look(at: 900, deadline: 1_000),
            .look(at: 1_000, asks: [Ask(1, of: 2)], deadline: 2_000),
            .look(at: 1_999, deadline: 2_019),
            .look(at: 2_019, asks: [Ask(1, of: 1)], deadline: 4_019)
        ),
        History(
            "each further round gives each holder twice the time",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .announced(1, by: 2, at: 0, asksNow: false, deadline: 1_000),
            .look(at: 1_000, asks: [Ask(1, of: 2)], deadline: 2_000),
            .look(at: 2_000, asks: [Ask(1, of: 1)], deadline: 4_000),
            .look(at: 4_000, asks: [Ask(1, of: 2)], deadline: 6_000),
            .look(at: 6_000, asks: [Ask(1, of: 1)], deadline: 10_000)
        ),
        History(
            "at last a holder has 64 s",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .look(at: 1_000, asks: [Ask(1, of: 1)], deadline: 3_000),
            .look(at: 3_000, asks: [Ask(1, of: 1)], deadline: 7_000),
            .look(at: 7_000, asks: [Ask(1, of: 1)], deadline: 15_000),
            .look(at: 15_000, asks: [Ask(1, of: 1)], deadline: 31_000),
            .look(at: 31_000, asks: [Ask(1, of: 1)], deadline: 63_000),
            .look(at: 63_000, asks: [Ask(1, of: 1)], deadline: 127_000),
            .look(at: 127_000, asks: [Ask(1, of: 1)], deadline: 191_000)
        ),
        History(
            "whoever announces it brings the time back to 1 s",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .look(at: 1_000, asks: [Ask(1, of: 1)], deadline: 3_000),
            .announced(1, by: 2, at: 1_500, asksNow: false, deadline: 2_500),
            .look(at: 2_500, asks: [Ask(1, of: 2)], deadline: 3_500)
        ),
        History(
            "news on the link of the peer that was asked gives it 1 s from then on",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .look(at: 1_000, news: [1: 600], deadline: 1_600),
            .look(at: 1_600, news: [1: 600], asks: [Ask(1, of: 1)], deadline: 3_600)
        ),
        History(
            "old news, and news on other links, give it no time",
            .announced(1, by: 1, at: 10, asksNow: true, deadline: 1_010),
            .look(at: 1_010, news: [1: 10, 2: 900], asks: [Ask(1, of: 1)], deadline: 3_010)
        ),
        History(
            "with news it has 300 s at most",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .look(at: 298_000, news: [1: 298_000], deadline: 299_000),
            .look(at: 299_500, news: [1: 299_400], deadline: 300_000),
            .look(at: 300_000, news: [1: 299_999], asks: [Ask(1, of: 1)], deadline: 302_000)
        ),
        History(
            "overdue wants are looked for every 20 ms at most",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .announced(2, by: 1, at: 5, asksNow: true, deadline: 1_000),
            .look(at: 1_000, asks: [Ask(1, of: 1)], deadline: 1_020),
            .look(at: 1_020, asks: [Ask(2, of: 1)], deadline: 3_000)
        ),
        History(
            "overdue wants are answered in the order of their dots",
            .announced(3, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .announced(1, by: 2, at: 0, asksNow: true, deadline: 1_000),
            .announced(2, by: 3, at: 0, asksNow: true, deadline: 1_000),
            .look(
                at: 1_000,
                asks: [Ask(1, of: 2), Ask(2, of: 3), Ask(3, of: 1)],
                deadline: 3_000
            )
        ),
        History(
            "a settled want asks nobody",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .settled(1, deadline: 1_000),
            .settled(1, deadline: 1_000),
            .look(at: 1_000, deadline: nil)
        ),
    ]

    @Test(arguments: authors)
    func authorMayPushFirst(_ history: History) {
        asksHoldersInTurn(history)
    }

    static let authors: [History] = [
        History(
            "the holder is asked if the author does not push within 1 s",
            .expected(1, from: 9, announcedBy: 1, at: 0, deadline: 1_000),
            .look(at: 1_000, asks: [Ask(1, of: 1)], deadline: 2_000),
            .look(at: 2_000, asks: [Ask(1, of: 1)], deadline: 4_000)
        ),
        History(
            "an author that announces it is asked at once, and the holder before it next",
            .expected(1, from: 9, announcedBy: 1, at: 0, deadline: 1_000),
            .announced(1, by: 9, at: 100, asksNow: true, deadline: 1_000),
            .announced(1, by: 9, at: 200, asksNow: false, deadline: 1_000),
            .look(at: 1_000, deadline: 1_100),
            .look(at: 1_100, asks: [Ask(1, of: 1)], deadline: 2_100)
        ),
        History(
            "a holder is asked at once when the author's link is silent",
            .expected(1, from: 9, announcedBy: 1, at: 0, deadline: 1_000),
            .announced(1, by: 2, at: 100, asksNow: true, deadline: 1_000),
            .look(at: 1_100, asks: [Ask(1, of: 1)], deadline: 2_100)
        ),
        History(
            "news on the link of the author gives it time",
            .expected(1, from: 9, announcedBy: 1, at: 0, deadline: 1_000),
            .look(at: 1_000, news: [9: 500], deadline: 1_500)
        ),
        History(
            "a want that is there already only gets a holder more",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .expected(1, from: 9, announcedBy: 2, at: 500, deadline: 1_000),
            .look(at: 1_000, news: [9: 900], asks: [Ask(1, of: 2)], deadline: 2_000)
        ),
        History(
            "the author's other link takes over what the closed one was to push",
            .expected(1, from: 9, announcedBy: 1, at: 0, deadline: 1_000),
            .closed(9, other: 10, at: 100, deadline: 1_000),
            .look(at: 1_000, news: [10: 700], deadline: 1_700)
        ),
        History(
            "without another link of the author the holder is asked at once",
            .expected(1, from: 9, announcedBy: 1, at: 0, deadline: 1_000),
            .closed(9, other: nil, at: 100, deadline: 100),
            .look(at: 100, asks: [Ask(1, of: 1)], deadline: 1_100)
        ),
    ]

    @Test(arguments: losses)
    func holdersGo(_ history: History) {
        asksHoldersInTurn(history)
    }

    static let losses: [History] = [
        History(
            "the next one is asked at once if the one that was asked has it no more",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .announced(1, by: 2, at: 0, asksNow: false, deadline: 1_000),
            .notFound(1, from: 1, at: 200, deadline: 200),
            .look(at: 200, asks: [Ask(1, of: 2)], deadline: 1_200),
            .look(at: 1_200, asks: [Ask(1, of: 2)], deadline: 3_200)
        ),
        History(
            "one that was not asked goes without a change",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .announced(1, by: 2, at: 0, asksNow: false, deadline: 1_000),
            .notFound(1, from: 2, at: 200, deadline: 1_000),
            .look(at: 1_000, asks: [Ask(1, of: 1)], deadline: 3_000)
        ),
        History(
            "those behind it keep their turns",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .announced(1, by: 2, at: 0, asksNow: false, deadline: 1_000),
            .announced(1, by: 3, at: 0, asksNow: false, deadline: 1_000),
            .look(at: 1_000, asks: [Ask(1, of: 2)], deadline: 2_000),
            .notFound(1, from: 1, at: 1_500, deadline: 2_000),
            .look(at: 2_000, asks: [Ask(1, of: 3)], deadline: 3_000)
        ),
        History(
            "a want without holders is over",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .notFound(1, from: 1, at: 200, deadline: 1_000, count: 0),
            .look(at: 1_000, deadline: nil, count: 0)
        ),
        History(
            "a holder's closed link counts as having it no more, also if it has another one",
            .announced(1, by: 1, at: 0, asksNow: true, deadline: 1_000),
            .announced(2, by: 1, at: 0, asksNow: true, deadline: 1_000, count: 2),
            .announced(2, by: 2, at: 0, asksNow: false, deadline: 1_000, count: 2),
            .closed(1, other: 3, at: 300, deadline: 300, count: 1),
            .look(at: 300, asks: [Ask(2, of: 2)], deadline: 1_300, count: 1)
        ),
    ]

    /// A Byzantine writer puts several envelopes under one dot, and each of them may be a head.
    @Test func envelopesUnderOneDotAreWantedApart() {
        var table = WantTable()
        let first = HaveEntry(1, content: 7)
        let second = HaveEntry(1, content: 8)
        let asksNow = [first, second].map { table.announced($0, by: LinkID(1), at: .start) }
        #expect(asksNow == [true, true])
        table.settled(first.name)
        #expect(table.holders(of: first.name).isEmpty)
        #expect(table.holders(of: second.name) == [LinkID(1)])
    }

    @Test func entriesOfASessionAreInTheOrderInWhichTheyWereAnnounced() {
        var table = WantTable()
        let entries = [HaveEntry(3), HaveEntry(9, session: 2), HaveEntry(1), HaveEntry(2)]
        for entry in entries { _ = table.announced(entry, by: LinkID(1), at: .start) }
        let one = SessionTag(number: 1)
        #expect(table.entries(of: one) == [entries[0], entries[2], entries[3]])
        table.settled(entries[2].name)
        #expect(table.entries(of: one) == [entries[0], entries[3]])
        #expect(table.entries(of: SessionTag(number: 2)) == [entries[1]])
        #expect(table.entries(of: SessionTag(number: 3)).isEmpty)
    }
}
