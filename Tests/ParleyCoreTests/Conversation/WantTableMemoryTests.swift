import ParleyCore
import ParleyFaults
import Testing

/// How many wants there may be, what they cost, and that none is lost among many.
@Suite struct WantTableMemoryTests {
    private let one = LinkID(1)
    private let two = LinkID(2)

    /// A slow peer is asked, and keeps its turn as it brings other envelopes; a peer that may
    /// announce no more before this one is settled gets a turn after a second, once in a round.
    @Test func aPeerThatIsHeldUpGetsATurn() {
        var table = WantTable()
        let entry = HaveEntry(1)
        let name = entry.name
        _ = table.announced(entry, by: one, at: .start)
        _ = table.announced(entry, by: two, at: .start)
        let asked = [two, two, two, one, LinkID(3)].enumerated().map { index, link in
            let now = Moment.start + .milliseconds(index == 0 ? 999 : 1_000 + Int64(index))
            return table.turned(name, to: link, at: now)
        }
        #expect(asked == [nil, entry, nil, nil, nil])
        #expect(table.entry(name, askedOf: two) == entry)
        #expect(table.entry(name, askedOf: one) == nil)
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

    /// Regression: a link without a want kept its seat until it closed.
    @Test func thereAreSeatsForSoManyLinks() {
        var table = WantTable()
        let may = (1...UInt64(300)).map { table.mayAnnounce(LinkID($0)) }
        #expect(!may.contains(false))
        for link in UInt64(1)...128 {
            let isSeated = table.mayAnnounce(LinkID(link))
            #expect(isSeated)
            _ = table.announced(HaveEntry(link), by: LinkID(link), at: .start)
        }
        let isAsked = table.announced(HaveEntry(1), by: LinkID(129), at: .start)
        #expect(!isAsked)
        #expect(table.count == 128)
        let late = table.mayAnnounce(LinkID(129))
        #expect(!late)
        table.settled(HaveEntry(7).name)
        let now = table.mayAnnounce(LinkID(129))
        #expect(now)
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
