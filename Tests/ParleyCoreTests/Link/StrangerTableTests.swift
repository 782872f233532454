import ParleyCore
import Testing

/// A half-open connection gives up its place to a newcomer.
@Suite struct StrangerTableTests {
    private func moment(_ milliseconds: Int64) -> Moment { .start + .milliseconds(milliseconds) }

    /// The source of this name, of at most eight letters.
    private func source(_ name: String) -> Bytes16 {
        Bytes16(name.utf8.reduce(0) { $0 << 8 | UInt64($1) }, 0)
    }

    private func table(_ countMax: Int, perSource: Int = 8) -> StrangerTable {
        var limits = Limits()
        limits.strangers = countMax
        limits.strangersPerSource = perSource
        return StrangerTable(limits: limits)
    }

    @Test(arguments: Arrivals.all)
    func aNewcomerIsAnswered(_ arrivals: Arrivals) {
        var table = table(arrivals.countMax, perSource: arrivals.perSource)
        for (number, name) in arrivals.sources.enumerated() {
            let admission = table.admit(
                LinkID(UInt64(number)),
                from: source(String(name)),
                at: moment(Int64(number))
            )
            #expect(admission == .admitted)
        }
        for number in arrivals.progressed {
            table.progressed(LinkID(number), at: moment(50))
        }
        let admission = table.admit(
            LinkID(99),
            from: source(arrivals.newcomer),
            at: moment(arrivals.milliseconds)
        )
        #expect(admission == arrivals.admission)
        #expect(table.count <= arrivals.countMax)
        #expect((table.source(of: LinkID(99)) != nil) == (admission != .turnedAway))
    }

    /// Connections from some sources, one a millisecond, those that progressed after 50 ms, and the
    /// answer to a newcomer.
    struct Arrivals: Sendable {
        let sources: String
        var countMax = 4
        var perSource = 8
        var progressed: [UInt64] = []
        var newcomer = "z"
        var milliseconds: Int64 = 100
        let admission: StrangerTable.Admission

        static let all = [
            Arrivals(sources: "aaa", admission: .admitted),
            // The source with the most gives up its oldest.
            Arrivals(sources: "baaa", admission: .replaces(LinkID(1))),
            Arrivals(sources: "abbb", newcomer: "a", admission: .replaces(LinkID(1))),
            // Among equal sources the most idle one goes, and progress counts.
            Arrivals(sources: "abcd", admission: .replaces(LinkID(0))),
            Arrivals(sources: "abcd", progressed: [0], admission: .replaces(LinkID(1))),
            Arrivals(sources: "aabb", progressed: [0, 1], admission: .replaces(LinkID(2))),
            // A source does not end its own handshakes, but its idle connections.
            Arrivals(sources: "aaab", newcomer: "a", admission: .turnedAway),
            Arrivals(
                sources: "aaab",
                newcomer: "a",
                milliseconds: 2_000,
                admission: .replaces(LinkID(0))
            ),
            Arrivals(
                sources: "aaab",
                progressed: [0],
                newcomer: "a",
                milliseconds: 2_001,
                admission: .replaces(LinkID(1))
            ),
            Arrivals(sources: "aa", perSource: 2, newcomer: "a", admission: .turnedAway),
            Arrivals(
                sources: "aa",
                perSource: 2,
                newcomer: "a",
                milliseconds: 2_000,
                admission: .replaces(LinkID(0))
            ),
            Arrivals(sources: "", countMax: 0, admission: .turnedAway),
        ]
    }

    @Test func aProofFreesThePlace() {
        var table = table(1)
        #expect(table.admit(LinkID(1), from: source("a"), at: .start) == .admitted)
        table.remove(LinkID(1))
        #expect(table.source(of: LinkID(1)) == nil)
        #expect(table.admit(LinkID(2), from: source("a"), at: .start) == .admitted)
    }

    /// A flood from 12 addresses never drops the one connection of another address.
    @Test func aFloodEndsOnlyItself() {
        var table = table(64)
        #expect(table.admit(LinkID(0), from: source("honest"), at: .start) == .admitted)
        for number in UInt64(1)...10_000 {
            let flood = source("flood \(number % 12)")
            let admission = table.admit(LinkID(number), from: flood, at: moment(Int64(number)))
            #expect(admission != .replaces(LinkID(0)))
        }
        #expect(table.source(of: LinkID(0)) == source("honest"))
        #expect(table.count == 64)
    }
}
