import Foundation
import Glibc
import Logging
import ParleyCore
import ParleyLoop
import ParleyNode
import ParleyTransport

/// The node under test in a process of its own: prints its address, and then answers each line with
/// numbers until its input ends.
enum NodeChild {
    /// The settings of the node, from the arguments.
    struct Order: Sendable {
        var directory = ""
        /// The invites to all conversations, separated by commas.
        var invites = ""
        /// The addresses that the node dials.
        var peers: [String] = []
        var keepsInMemory = false
        var processor = 0
        /// The address at which the node listens; with port 0 at a free one.
        var listen = "127.0.0.1:0"

        var arguments: [String] {
            [
                "node", directory, invites, keepsInMemory ? "memory" : "disk", "\(processor)",
                listen,
            ] + peers
        }

        init(
            directory: String,
            invites: String,
            keepsInMemory: Bool,
            processor: Int,
            listen: String,
            peers: [String]
        ) {
            self.directory = directory
            self.invites = invites
            self.keepsInMemory = keepsInMemory
            self.processor = processor
            self.listen = listen
            self.peers = peers
        }

        init(_ arguments: ArraySlice<String>) throws(BenchError) {
            let words = Array(arguments)
            guard words.count >= 5, let processor = Int(words[3]) else {
                throw .usage("node DIRECTORY INVITE,... memory|disk PROCESSOR ADDRESS [PEER...]")
            }
            directory = words[0]
            invites = words[1]
            keepsInMemory = words[2] == "memory"
            self.processor = processor
            listen = words[4]
            peers = Array(words[5...])
        }
    }

    static func run(_ arguments: ArraySlice<String>) async throws {
        let order = try Order(arguments)
        MemoryTuning.keepLittleUnused()
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        var settings = NodeSettings(dataDirectory: URL(fileURLWithPath: order.directory))
        settings.name = "bench"
        settings.listen = [order.listen]
        settings.peers = order.peers
        settings.usesDiscovery = false
        settings.keepsInMemory = order.keepsInMemory
        // There are 64 readers and the author.
        settings.limits.links = 65
        settings.limits.strangersPerSource = 128
        settings.limits.strangers = 128
        let node = Node(settings)
        let ready = try await node.start()
        let shown = ShownCount()
        let following = Task { [events = await node.events()] in
            for await event in events {
                if case .shown = event { await shown.add() }
            }
        }
        if try await node.conversations().isEmpty {
            for (number, invite) in order.invites.split(separator: ",").enumerated() {
                let name = number == 0 ? "bench" : "bench-\(number)"
                _ = try await node.join(String(invite), as: name)
            }
        }
        answer(ready.addresses.first ?? "nowhere")
        for await question in questions {
            switch question {
            case "sessions": answer("\(try await node.status().sessions)")
            case "links": answer("\(try await node.status().links)")
            case "traffic": answer(await traffic(of: node))
            case "shown": answer("\(await shown.count)")
            case _ where question.hasPrefix("send "):
                answer(try await send(Int(question.dropFirst(5)) ?? 0, on: node))
            default: answer("what?")
            }
        }
        await node.stop()
        following.cancel()
    }

    /// The lines of the input, which a thread of its own reads: a task that waited for them would
    /// keep one of the few threads of all tasks, and on one processor the only one.
    private static var questions: AsyncStream<String> {
        let (lines, reader) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { reader.yield(line) }
            reader.finish()
        }
        return lines
    }

    /// The envelopes that the node has sent, and the bytes of its connections in both directions.
    private static func traffic(of node: Node) async -> String {
        guard let now = await node.measurements else { return "none" }
        let bytes = now.transport.bytesSent + now.transport.bytesReceived
        return "\(now.figures.envelopesSent) \(bytes)"
    }

    /// Sends `count` messages, each after the one before is stored.
    ///
    /// - Returns: for each message the time of the call and the time at which it was stored, in
    ///   seconds.
    private static func send(_ count: Int, on node: Node) async throws -> String {
        var times: [Double] = []
        for _ in 0..<count {
            var content = MessageContent()
            content.url = "bench:" + String(repeating: "x", count: 200)
            times.append(ProcessMeter.now)
            _ = try await node.send(Draft(content: content), to: "bench")
            times.append(ProcessMeter.now)
        }
        return times.map { "\($0)" }.joined(separator: " ")
    }

    static func answer(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

/// Counts the shown messages.
private actor ShownCount {
    private(set) var count = 0

    func add() { count += 1 }
}
