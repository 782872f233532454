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
        + [.floor, .memory].map { RelayRow(middle: $0, readers: 8, size: 300, authors: 2) }

    private static let others: [any Row] = [
        HotRow(), LatencyRow(isSigned: false), LatencyRow(isSigned: true),
        StoredRow(inFlight: 1), StoredRow(inFlight: 64), LocalRow(inFlight: 1),
        LocalRow(inFlight: 64), AuthoredRow(), MemoryRow(), CatchUpRow(),
    ]

    private static let topologies: [any Row] = TopologyRow.Shape.allCases.map {
        TopologyRow(shape: $0)
    }

    private static let strangers: [any Row] = [4, 64].flatMap { count in
        StrangersChild.Kind.allCases.filter { $0 != .busy }
            .map { StrangersRow(kind: $0, count: count) }
    }

    private static let programs: [any Row] = ProgramRow.Kind.allCases.map { ProgramRow(kind: $0) }

    private static let pages: [any Row] = PageRow.Kind.allCases.map { PageRow(kind: $0) }

    func run() async throws {
        let beside = BesideRow.all.map { $0.limited(to: options.brokers) }
        let own = [
            Self.relays, Self.others, Self.topologies, Self.strangers, Self.programs, Self.pages,
        ].flatMap { $0 }
        var rows = chosen(options.isBeside ? beside : own)
        guard !options.isList else { return print(rows.map(\.name).joined(separator: "\n")) }
        guard !rows.isEmpty else { throw BenchError.usage("there is no such row; try --list") }
        let skipped = rows.compactMap { row in row.missing.map { "skipped: \(row.name): \($0)" } }
        rows.removeAll { $0.missing != nil }
        let versions = try Self.versions(of: rows)
        (options.missing + skipped + versions).forEach(progress)
        signal(SIGPIPE, SIG_IGN)
        let bench = try Bench(
            isQuick: options.isQuick,
            directory: URL(fileURLWithPath: options.directory)
        )
        defer { bench.cleanUp() }
        let interruptions = Self.interruptions { [directory = bench.directory] in
            ChildProcess.endAll()
            Bench.remove(directory)
            exit(130)
        }
        defer { interruptions.forEach { $0.cancel() } }
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
        let table = Table(summaries) { !options.isBeside || $0.hasPrefix("÷") }
        print(([table.text] + skipped).joined(separator: "\n"))
        if let path = options.document {
            try document(table, versions + bench.ciphers.sorted(), to: path)
        }
        if let path = options.json {
            try Document(summaries, isQuick: options.isQuick).write(to: path)
        }
    }

    /// The versions of the servers beside which Parley is measured.
    ///
    /// - Throws: `system` with the cure if one is not installed.
    private static func versions(of rows: [any Row]) throws -> [String] {
        let entrants = rows.flatMap { ($0 as? BesideRow)?.entrants ?? [] }
        var versions: [String] = []
        for broker in Broker.allCases where entrants.contains(where: { $0.broker == broker }) {
            let version = try broker.version()
            if !version.isEmpty, !versions.contains(version) { versions.append(version) }
        }
        return versions
    }

    /// Sources that call `handler` when the run is to end early.
    private static func interruptions(
        _ handler: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceSignal] {
        let queue = DispatchQueue(label: "bench.interruptions")
        return [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: handler)
            source.activate()
            return source
        }
    }

    /// Writes the table of the document if the run was complete.
    private func document(_ table: Table, _ facts: [String], to path: String) throws {
        guard options.isComplete else {
            return progress("\(path) stays as it is: only a run of all rows writes its table")
        }
        let machine = "\(Processor.count) processors (\(Processor.name))"
        let system = ProcessInfo.processInfo.operatingSystemVersionString
        let day = ISO8601DateFormatter.string(
            from: Date(),
            timeZone: .gmt,
            formatOptions: .withFullDate
        )
        let text =
            (["\(day)", machine, system, "\(options.rounds) rounds"] + facts)
            .joined(separator: "; ") + ".\n\n" + table.tables
        try MarkedTable.write(text, to: path)
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
