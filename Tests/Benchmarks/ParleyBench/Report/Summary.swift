/// The figures of all rounds of one row.
struct Summary {
    let name: String
    let floor: String?
    let targets: [Target]
    private(set) var rounds: [[Figure]] = []

    init(_ row: any Row) {
        name = row.name
        floor = row.floor
        targets = row.targets
    }

    mutating func add(_ figures: [Figure]) {
        rounds.append(figures)
    }

    /// The names of the figures, in the order of the columns.
    var columns: [String] { rounds.first?.map(\.name) ?? [] }

    /// The median, lowest and highest value of a figure.
    func spread(_ column: String) -> Spread {
        Spread(rounds.flatMap { $0.filter { $0.name == column }.map(\.value) })
    }

    /// The latest value of a figure.
    func latest(_ column: String) -> Double? {
        rounds.last?.first { $0.name == column }?.value
    }
}

/// The distribution of the values of several rounds.
struct Spread: Codable {
    let median: Double
    let lowest: Double
    let highest: Double

    init(_ values: [Double]) {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        lowest = sorted.first ?? .nan
        highest = sorted.last ?? .nan
        guard !sorted.isEmpty else {
            median = .nan
            return
        }
        median =
            sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
