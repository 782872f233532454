import Foundation

/// Runs all rounds of all rows, interleaved, so that a disturbance of the machine affects all rows
/// alike.
struct Run {
    private let options: Options

    init(_ options: Options) {
        self.options = options
    }

    private static let relays: [any Row] =
        [(1, 300), (8, 300), (64, 300), (1, 4_096), (8, 4_096), (64, 4_096)].flatMap {
            readers,
            size in
            [RelayRow.Middle.floor, .memory, .durable].map {
                RelayRow(middle: $0, readers: readers, size: size)
            }
        }

    private static let others: [any Row] = [
        HotRow(), LatencyRow(isSigned: false), LatencyRow(isSigned: true),
        StoredRow(inFlight: 1), StoredRow(inFlight: 64), LocalRow(inFlight: 1),
        LocalRow(inFlight: 64), AuthoredRow(), MemoryRow(), CatchUpRow(),
    ]

    private static let pages: [any Row] = PageRow.Kind.allCases.map { PageRow(kind: $0) }

    func run() async throws {
        var rows = chosen(options.isBeside ? BesideRow.all : Self.relays + Self.others + Self.pages)
        guard !options.isList else { return print(rows.map(\.name).joined(separator: "\n")) }
        guard !rows.isEmpty else { throw BenchError.usage("there is no such row; try --list") }
        let skipped = rows.compactMap { row in row.missing.map { "skipped: \(row.name): \($0)" } }
        for line in skipped { progress(line) }
        rows.removeAll { $0.missing != nil }
        signal(SIGPIPE, SIG_IGN)
        Processor.pin(to: 1)
        let bench = try Bench(
            isQuick: options.isQuick,
            directory: URL(fileURLWithPath: options.directory)
        )
        defer { bench.cleanUp() }
        var summaries = rows.map { Summary($0) }
        for round in 1...options.rounds {
            bench.round = round
            for (index, row) in rows.enumerated() {
                var figures = try await row.measure(bench)
                figures += comparison(of: figures, row, with: summaries)
                summaries[index].add(figures)
                progress("round \(round)/\(options.rounds)  \(row.name)")
            }
        }
        print(([Table(summaries).text] + skipped).joined(separator: "\n"))
        if let path = options.json {
            try Document(summaries, isQuick: options.isQuick).write(to: path)
        }
    }

    /// The ratio of the cost of a delivery to that of the floor row in the same round.
    private func comparison(
        of figures: [Figure],
        _ row: any Row,
        with summaries: [Summary]
    ) -> [Figure] {
        let cost = RelayRow.cost
        guard let value = figures.first(where: { $0.name == cost })?.value,
            let floor = summaries.first(where: { $0.name == row.floor ?? row.name })
        else { return [] }
        guard row.floor != nil else { return row is RelayRow ? [Figure("× floor", 1)] : [] }
        return floor.latest(cost).map { [Figure("× floor", value / $0)] } ?? []
    }

    /// The rows with the given names, or the rows whose names have a given prefix.
    private func chosen(_ rows: [any Row]) -> [any Row] {
        guard !options.rows.isEmpty else { return rows }
        let names = Set(rows.map(\.name))
        return rows.filter { row in
            options.rows.contains { word in
                names.contains(word) ? row.name == word : row.name.hasPrefix(word)
            }
        }
    }

    private func progress(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
