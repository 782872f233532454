import Foundation

/// A measurement of the page in a process of its own, which starts the nodes and the browsers.
///
/// The driver of the other rows is pinned to one processor, and so would be what it starts. Two
/// nodes and two browsers use all of them, as on the machine of a person.
enum PageChild {
    /// The measurement, from the arguments.
    struct Order {
        let kind: PageRow.Kind
        let isQuick: Bool
        /// The directory for the data of the nodes.
        let directory: String

        var arguments: [String] {
            ["page", kind.rawValue, isQuick ? "quick" : "whole", directory]
        }

        init(kind: PageRow.Kind, isQuick: Bool, directory: String) {
            self.kind = kind
            self.isQuick = isQuick
            self.directory = directory
        }

        init(_ arguments: ArraySlice<String>) throws(BenchError) {
            let words = Array(arguments)
            guard words.count == 3, let kind = PageRow.Kind(rawValue: words[0]) else {
                throw .usage("page KIND quick|whole DIRECTORY")
            }
            self.init(kind: kind, isQuick: words[1] == "quick", directory: words[2])
        }
    }

    static func run(_ arguments: ArraySlice<String>) async throws {
        let order = try Order(arguments)
        try FileManager.default.createDirectory(
            atPath: order.directory,
            withIntermediateDirectories: true
        )
        ProcessTree.endsWithInput(removing: order.directory)
        // The nodes and the browsers keep what they have there.
        setenv("TMPDIR", order.directory, 1)
        let figures =
            switch order.kind {
            case .moves: try await PageMoves.measure(count: order.isQuick ? 40 : 200)
            case .label: try await PageLabel.measure(count: order.isQuick ? 50 : 200)
            case .paint: try await PagePaint.measure(loads: order.isQuick ? 2 : 5)
            case .transcript: try await PageTranscript.measure(entries: 10_000)
            case .guests: try await PageGuests.measure(moves: order.isQuick ? 9 : 72)
            case .drawing: try await PageDrawing.measure(seconds: order.isQuick ? 5 : 20)
            case .memory: try await PageMemory.measure(moves: order.isQuick ? 100 : 1_000)
            }
        let text = String(decoding: try JSONEncoder().encode(figures), as: UTF8.self)
        NodeChild.answer(text)
    }
}
