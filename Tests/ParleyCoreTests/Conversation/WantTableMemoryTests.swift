import ParleyCore
import ParleyFaults
import Testing

/// How many wants there may be, what they cost, and that none is lost among many.
@Suite struct WantTableMemoryTests {
    private let one = LinkID(1)
    private let two = LinkID(2)

    @Test func aWantCountsAgainstOneHolder() {
        var table = WantTable()
        for sequence in UInt64(1)...3 {
            _ = table.announced(HaveEntry(sequence), by: one, at: .start)
        }
        _ = table.announced(HaveEntry(3), by: two, at: .start)
        _ = table.announced(HaveEntry(4), by: two, at: .start)
        let counts = { (table: WantTable) in
            [1, 2, 3].map { table.bytes(of: LinkID($0)) / WantTable.wantBytes }
        }
        #expect(counts(table) == [3, 1, 0])
        table.notFound(HaveEntry(3).name, from: one, at: .start)
        #expect(counts(table) == [2, 2, 0], "the other holder takes it over")
        table.settled(HaveEntry(4).name)
        table.linkClosed(one, other: nil, at: .start)
        #expect(counts(table) == [0, 1, 0])
        #expect(table.count == 1)
    }

    @Test func aForgottenAnnouncementIsNotAskedFor() {
        var table = WantTable()
        let entry = HaveEntry(1)
        _ = table.announced(entry, by: one, at: .start)
        _ = table.announced(entry, by: two, at: .start)
        let isOver = [one, one, LinkID(3)].map {
            table.forgotten(entry.name.fingerprint, of: $0, at: .start)
        }
        #expect(isOver == [false, false, false])
        let asked = table.overdue(at: .start, news: [:])
        #expect(asked.map(\.holder) == [two], "the other holder is asked at once")
        let isOverNow = table.forgotten(entry.name.fingerprint, of: two, at: .start)
        #expect(isOverNow)
        #expect(table.count == 0)
    }

    /// Relays announce the envelope before an honest peer does, and never send it.
    @Test func linksThatBroughtSomethingAreAskedFirst() {
        var table = WantTable()
        for link in UInt64(1)...9 {
            _ = table.announced(HaveEntry(1), by: LinkID(link), at: .start)
        }
        let news = [LinkID(8): Moment.start]
        let asked = table.overdue(at: .start + WantTable.patience, news: news)
        #expect(asked.map(\.holder) == [LinkID(8)])
        let later = table.overdue(at: .start + .seconds(2), news: news)
        #expect(later.map(\.holder) == [LinkID(2)], "it was asked in this round")
    }

    @Test func thereAreSeatsForSoManyLinks() {
        var table = WantTable()
        let mayAnnounce = (1...UInt64(129)).map { table.mayAnnounce(LinkID($0)) }
        #expect(mayAnnounce == Array(repeating: true, count: 128) + [false])
        let isAsked = table.announced(HaveEntry(1), by: LinkID(129), at: .start)
        #expect(!isAsked)
        #expect(table.count == 0)
        table.linkClosed(LinkID(7), other: nil, at: .start)
        let mayAnnounceNow = table.mayAnnounce(LinkID(129))
        #expect(mayAnnounceNow)
    }

    /// The table against a dictionary, over random announcements, arrivals and links that close.
    @Test(arguments: 0..<UInt64(8))
    func noneIsLostAmongMany(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = WantTable()
        var holders: [UInt64: Set<UInt64>] = [:]
        for _ in 0..<6_000 {
            let sequence = random.next() % 900
            let entry = HaveEntry(sequence, session: sequence % 40)
            let link = 1 + random.next() % 5
            switch random.next() % 8 {
            case 0...4:
                _ = table.announced(entry, by: LinkID(link), at: .start)
                holders[sequence, default: []].insert(link)
            case 5:
                table.settled(entry.name)
                holders[sequence] = nil
            case 6:
                table.notFound(entry.name, from: LinkID(link), at: .start)
                holders[sequence]?.remove(link)
            default:
                guard random.chance(1, in: 100) else { continue }
                table.linkClosed(LinkID(link), other: nil, at: .start)
                for sequence in holders.keys { holders[sequence]?.remove(link) }
            }
            holders = holders.filter { !$0.value.isEmpty }
        }
        #expect(table.count == holders.count)
        for sequence in UInt64(0)..<900 {
            let entry = HaveEntry(sequence, session: sequence % 40)
            let found = table.holders(of: entry.name).map(\.value)
            #expect(Set(found) == holders[sequence, default: []], "\(sequence)")
        }
        for session in UInt64(0)..<40 {
            let found = table.entries(of: SessionTag(number: session)).map(\.dot.sequence)
            #expect(Set(found) == Set(holders.keys.filter { $0 % 40 == session }))
        }
    }
}
