import Foundation

/// The whole run as a JSON document.
struct Document: Codable {
    struct Machine: Codable {
        let processor: String
        let processors: Int
        let system: String
    }

    struct Row: Codable {
        let name: String
        let rounds: Int
        let figures: [String: Spread]
    }

    let machine: Machine
    let date: Date
    let isQuick: Bool
    let rows: [Row]

    init(_ summaries: [Summary], isQuick: Bool) {
        machine = Machine(
            processor: Processor.name,
            processors: Processor.count,
            system: ProcessInfo.processInfo.operatingSystemVersionString
        )
        date = Date()
        self.isQuick = isQuick
        rows = summaries.map { summary in
            let spreads = summary.columns.map { ($0, summary.spread($0)) }
            return Row(
                name: summary.name,
                rounds: summary.rounds.count,
                figures: Dictionary(uniqueKeysWithValues: spreads)
            )
        }
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }
}
