import Foundation
import Logging
import ParleyLoop
import ParleyNode

/// A node with SQLite that sends messages without links: signing, sealing and the disk.
enum LocalChild {
    /// Runs the child; the arguments are the directory, the messages in flight, the number of
    /// messages, and the characters of the URL.
    static func run(_ arguments: ArraySlice<String>) async throws {
        MemoryTuning.keepLittleUnused()
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let words = Array(arguments)
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard words.count == 4, numbers.count == 3 else {
            throw BenchError.usage("local DIRECTORY IN-FLIGHT COUNT SIZE")
        }
        var settings = NodeSettings(dataDirectory: URL(fileURLWithPath: words[0]))
        settings.name = "bench"
        settings.listen = ["127.0.0.1:0"]
        settings.usesDiscovery = false
        let node = Node(settings)
        _ = try await node.start()
        _ = try await node.createConversation(named: "bench")
        try await send(numbers[1] / 10, inFlight: numbers[0], size: numbers[2], on: node)
        let meter = try ProcessMeter(getpid())
        let begin = (ProcessMeter.now, meter.processorSeconds)
        try await send(numbers[1], inFlight: numbers[0], size: numbers[2], on: node)
        let took = ProcessMeter.now - begin.0
        let used = meter.processorSeconds - begin.1
        NodeChild.answer("\(Double(numbers[1]) / took) \(used / Double(numbers[1]) * 1e6)")
        await node.stop()
    }

    private static func send(
        _ count: Int,
        inFlight: Int,
        size: Int,
        on node: Node
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<inFlight {
                let share = count / inFlight + (sender < count % inFlight ? 1 : 0)
                group.addTask {
                    for _ in 0..<share {
                        var content = MessageContent()
                        content.url = "bench:" + String(repeating: "x", count: size - 6)
                        _ = try await node.send(Draft(content: content), to: "bench")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
