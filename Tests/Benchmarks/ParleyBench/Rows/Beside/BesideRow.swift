/// One measurement of Parley and of other systems, one after the other in each round, and the
/// ratios of Parley's value to those of the others in the same round.
struct BesideRow: Row {
    let name: String
    /// The unit of the values, which is a part of the columns' names.
    let unit: String
    let entrants: [Entrant]
    var targets: [Target] = []

    /// A system with its measurement.
    struct Entrant: Sendable {
        let name: String
        let measure: @Sendable (Bench) async throws -> Double
    }

    /// The name of the entrant that is compared with the others.
    static let parley = "Parley"

    func measure(_ bench: Bench) async throws -> [Figure] {
        var values = [Double](repeating: .nan, count: entrants.count)
        // Each round begins with another system, so that none always comes after the same one.
        for step in entrants.indices {
            let index = (step + bench.round) % entrants.count
            values[index] = try await entrants[index].measure(bench)
        }
        guard let own = entrants.firstIndex(where: { $0.name == Self.parley }) else { return [] }
        let others = entrants.indices.filter { $0 != own }
        return entrants.indices.map { Figure("\(entrants[$0].name) \(unit)", values[$0]) }
            + others.map { Figure("÷ \(entrants[$0].name)", values[own] / values[$0]) }
    }
}

extension BesideRow.Entrant {
    /// A broker under a load; `value` takes the row's value from the outcome.
    static func broker(
        _ broker: Broker,
        _ load: BrokerLoad,
        _ value: @escaping @Sendable (BrokerLoad.Outcome) -> Double
    ) -> Self {
        Self(name: broker.name) { bench in
            var load = load
            if bench.isQuick { load.messages = max(load.topics, load.messages / 4) }
            return value(try load.run(on: broker, bench))
        }
    }

    /// A figure of one of our own rows.
    static func row(
        _ row: any Row,
        _ figure: String,
        as name: String = BesideRow.parley
    ) -> Self {
        Self(name: name) { bench in
            let figures = try await row.measure(bench)
            guard let value = figures.first(where: { $0.name == figure })?.value else {
                throw BenchError.unexpected("\(row.name) has no figure \(figure)")
            }
            return value
        }
    }
}
