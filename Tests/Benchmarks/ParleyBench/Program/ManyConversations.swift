import Foundation
import PageSupport
import ParleyAPI
import ParleyCore
import ParleyNode

/// A node as people run it that has many conversations, each with a few sessions, on its disk.
struct ManyConversations {
    private static let sessions = 100

    let node: PageNode
    /// The moment at which the process was started that has them.
    private(set) var begin = 0.0

    /// A node that has been started with `count` conversations.
    init(_ count: Int) async throws {
        // The node takes over the environment of this process.
        setenv("PARLEY_LIMITS_CONVERSATIONS", "\(count)", 1)
        let node = try await PageNode("alice")
        var begin = 0.0
        try await node.restart {
            try await Self.fill(node.data, count)
            begin = ProcessMeter.now
        }
        self.node = node
        self.begin = begin
    }

    /// Writes the conversations into a data directory, with a node in this process.
    private static func fill(_ directory: URL, _ count: Int) async throws {
        var settings = NodeSettings(dataDirectory: directory)
        settings.listen = ["127.0.0.1:0"]
        settings.usesDiscovery = false
        settings.limits.conversations = count
        let node = Node(settings)
        _ = try await node.start()
        var content = MessageContent()
        content.url = "bench:" + String(repeating: "x", count: 200)
        let draft = content
        let names = (0..<count).map { "bench-\($0)" }
        for name in names { _ = try await node.createConversation(named: name) }
        for part in stride(from: 0, to: count, by: 10) {
            try await withThrowingTaskGroup { group in
                for name in names[part..<min(part + 10, count)] {
                    for _ in 0..<sessions {
                        group.addTask { _ = try await node.send(Draft(content: draft), to: name) }
                    }
                }
                try await group.waitForAll()
            }
        }
        await node.stop()
    }
}

extension ProgramMeasurements {
    /// The start of a node with 1,000 conversations of 100 sessions each, its memory, and its work
    /// while nothing happens.
    static func many(_ bench: Bench) async throws -> [Figure] {
        let count = bench.isQuick ? 100 : 1_000
        let many = try await ManyConversations(count)
        let took = ProcessMeter.now - many.begin
        let meter = try ProcessMeter(many.node.processID)
        let used = meter.processorSeconds
        let own = meter.ownKilobytes / 1_024
        // What follows a start is over meanwhile.
        try await Task.sleep(for: .seconds(5))
        let begin = (ProcessMeter.now, meter.processorSeconds)
        // This is the time that is measured.
        try await Task.sleep(for: .seconds(bench.isQuick ? 5 : 30))
        let idle = (meter.processorSeconds - begin.1) / (ProcessMeter.now - begin.0)
        let found = try await status(of: many.node)
        await many.node.end()
        guard found.conversations == count, found.sessions == 100 * count else {
            throw BenchError.wrongCount("\(found.sessions) sessions")
        }
        return [
            Figure(start, took), Figure("s processor", used), Figure(memory, own),
            Figure(share, idle * 100),
        ]
    }
}
