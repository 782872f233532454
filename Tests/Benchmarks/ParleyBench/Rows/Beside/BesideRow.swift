/// One measurement of Parley and of other systems, one after the other in each round, and the
/// ratios of Parley's value to those of the others in the same round.
struct BesideRow: Row {
    let name: String
    /// The unit of the values, which is a part of the columns' names.
    let unit: String
    private(set) var entrants: [Entrant]
    private(set) var targets: [Target]
    /// Whether Parley's value is divided by those of the others.
    let hasRatios: Bool

    /// A system with its measurement.
    struct Entrant: Sendable {
        let name: String
        /// The server, if it is one of others.
        var broker: Broker?
        let measure: @Sendable (Bench) async throws -> Double
    }

    /// The name of the entrant that is compared with the others.
    static let parley = "Parley"

    init(
        name: String,
        unit: String,
        entrants: [Entrant],
        targets: [Target] = [],
        hasRatios: Bool = true
    ) {
        self.name = name
        self.unit = unit
        self.entrants = entrants
        self.targets = targets
        self.hasRatios = hasRatios
    }

    /// The row without brokers that are not among `brokers`.
    func limited(to brokers: [Broker]) -> BesideRow {
        var row = self
        row.entrants.removeAll { $0.broker.map { !brokers.contains($0) } ?? false }
        row.targets.removeAll { target in
            !row.entrants.contains { Self.ratio(to: $0) == target.figure }
        }
        return row
    }

    private static func ratio(to entrant: Entrant) -> String { "÷ \(entrant.name)" }

    func measure(_ bench: Bench) async throws -> [Figure] {
        var values = [Double](repeating: .nan, count: entrants.count)
        // Each round begins with another system, so that none always comes after the same one.
        for step in entrants.indices {
            let index = (step + bench.round) % entrants.count
            values[index] = try await entrants[index].measure(bench)
        }
        let figures = entrants.indices.map { Figure("\(entrants[$0].name) \(unit)", values[$0]) }
        guard hasRatios, let own = entrants.firstIndex(where: { $0.name == Self.parley }) else {
            return figures
        }
        let others = entrants.indices.filter { $0 != own }
        return figures
            + others.map { Figure(Self.ratio(to: entrants[$0]), values[own] / values[$0]) }
    }
}

extension BesideRow.Entrant {
    /// A broker under a load; `value` takes the row's value from the outcome.
    static func broker(
        _ broker: Broker,
        _ load: BrokerLoad,
        _ value: @escaping @Sendable (BrokerLoad.Outcome) -> Double
    ) -> Self {
        Self(name: broker.name, broker: broker) { bench in
            var load = load
            // The same number for each topic.
            if bench.isQuick { load.messages = max(load.messages / 4, min(load.topics, 64)) }
            let outcome = try load.run(on: broker, bench)
            if !broker.isPlain { bench.ciphers.insert(outcome.cipher) }
            return value(outcome)
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
