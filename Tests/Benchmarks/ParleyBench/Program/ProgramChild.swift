import Foundation

/// A measurement of the executable `parley` in a process of its own.
///
/// The driver of the other rows is pinned to one processor, and so would be what it starts.
enum ProgramChild {
    /// The measurement, from the arguments.
    struct Order {
        let kind: ProgramRow.Kind
        let isQuick: Bool
        /// The directory for the data of the nodes.
        let directory: String

        var arguments: [String] {
            ["program", kind.rawValue, isQuick ? "quick" : "whole", directory]
        }

        init(kind: ProgramRow.Kind, isQuick: Bool, directory: String) {
            self.kind = kind
            self.isQuick = isQuick
            self.directory = directory
        }

        init(_ arguments: ArraySlice<String>) throws(BenchError) {
            let words = Array(arguments)
            guard words.count == 3, let kind = ProgramRow.Kind(rawValue: words[0]) else {
                throw .usage("program KIND quick|whole DIRECTORY")
            }
            self.init(kind: kind, isQuick: words[1] == "quick", directory: words[2])
        }
    }

    static func run(_ arguments: ArraySlice<String>) async throws {
        signal(SIGPIPE, SIG_IGN)
        let order = try Order(arguments)
        try FileManager.default.createDirectory(
            atPath: order.directory,
            withIntermediateDirectories: true
        )
        ProcessTree.endsWithInput(removing: order.directory)
        // The nodes keep what they have there.
        setenv("TMPDIR", order.directory, 1)
        let bench = try Bench(
            isQuick: order.isQuick,
            directory: URL(fileURLWithPath: order.directory)
        )
        let figures =
            switch order.kind {
            case .status: try await ProgramMeasurements.status(bench)
            case .alone: try await ProgramMeasurements.alone(bench)
            case .idle: try await ProgramMeasurements.idle(bench)
            case .start: try await ProgramMeasurements.start(bench)
            case .memory: try await ProgramMeasurements.memory(bench)
            case .read: try await ProgramMeasurements.read(bench)
            case .many: try await ProgramMeasurements.many(bench)
            case .file: try await ProgramMeasurements.file(bench)
            }
        let text = String(decoding: try JSONEncoder().encode(figures), as: UTF8.self)
        NodeChild.answer(text)
    }
}
