import Foundation

/// The options of the command line.
struct Options {
    /// Whether Parley is measured beside other servers.
    var isBeside = false
    var isQuick = false
    var rounds = 3
    /// Names of rows or prefixes of names; empty means all.
    var rows: [String] = []
    /// The servers to measure beside Parley: those named, or all that are installed.
    var brokers = Broker.allCases
    /// Why servers are left out that were not named.
    private(set) var missing: [String] = []
    var json: String?
    /// The Markdown file whose marked table a complete run writes.
    var document: String?
    /// The directory for the data of the nodes, which is removed at the end.
    var directory = ".build/parley-bench-data"
    var isList = false

    static let usage = """
        usage: parley-bench [--quick] [--rounds N] [--rows NAME,...] [--json FILE] [--data DIR]
               parley-bench peers [--peers NAME,...] [--document FILE] [further options as above]
               parley-bench [peers] --list

        Measures Parley on the loopback interface: the node under test on processor 0, the author
        and the readers on processor 1. `peers` measures other servers beside it: those named, or
        all of these that are installed: \(Broker.allCases.map(\.rawValue).joined(separator: ", ")).
        A run of all rows writes the table of the document. docs/benchmarks.md says what each row
        means.
        """

    /// Whether everything of the comparison is measured, and not only once.
    var isComplete: Bool {
        !isQuick && rounds > 2 && rows.isEmpty && brokers.count == Broker.allCases.count
    }

    init(_ arguments: ArraySlice<String>) throws(BenchError) {
        var rest = arguments
        if rest.first == "peers" {
            rest.removeFirst()
            isBeside = true
            rounds = 5
        }
        var areNamed = false
        while let word = rest.popFirst() {
            switch word {
            case "--quick": isQuick = true
            case "--list": isList = true
            case "--rounds":
                guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
                    throw .usage(Self.usage)
                }
                rounds = count
            case "--rows": rows = try Self.value(&rest).split(separator: ",").map(String.init)
            case "--peers" where isBeside: (brokers, areNamed) = (try Self.brokers(&rest), true)
            case "--document" where isBeside: document = try Self.value(&rest)
            case "--json": json = try Self.value(&rest)
            case "--data": directory = try Self.value(&rest)
            default: throw .usage(Self.usage)
            }
        }
        if isQuick { rounds = 1 }
        guard isBeside, !areNamed, !isList else { return }
        brokers.removeAll { broker in
            do {
                _ = try broker.executable()
                return false
            } catch {
                missing.append("left out: \(broker.name): \(error)")
                return true
            }
        }
    }

    private static func brokers(
        _ rest: inout ArraySlice<String>
    ) throws(BenchError) -> [Broker] {
        try value(&rest).split(separator: ",").map { word throws(BenchError) in
            guard let broker = Broker(rawValue: String(word)) else { throw .usage(usage) }
            return broker
        }
    }

    private static func value(_ rest: inout ArraySlice<String>) throws(BenchError) -> String {
        guard let value = rest.popFirst() else { throw .usage(usage) }
        return value
    }
}
