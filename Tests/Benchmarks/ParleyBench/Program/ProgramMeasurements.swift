import Glibc
import PageSupport
import ParleyAPI
import ParleyCore

/// The measurements of a node as people run it, with its page but without a browser.
enum ProgramMeasurements {
    static let command = "ms processor"
    static let memory = "MB own"
    static let wakeUps = "wake-ups/s"
    static let share = "% of a core"

    /// The processor time of a short command, from its start to its end.
    static func status(_ bench: Bench) async throws -> [Figure] {
        let node = try await PageNode("alice")
        var (processor, wall): ([Double], [Double]) = ([], [])
        for _ in 0..<(bench.isQuick ? 10 : 40) {
            let begin = (ProcessMeter.now, endedChildrenSeconds)
            _ = try await node.run("status")
            wall.append((ProcessMeter.now - begin.0) * 1e3)
            processor.append((endedChildrenSeconds - begin.1) * 1e3)
        }
        await node.end()
        return [
            Figure(command, processor.quantile(0.5)), Figure("ms", wall.quantile(0.5)),
        ]
    }

    /// The memory of a node that has neither links nor sessions.
    static func alone(_ bench: Bench) async throws -> [Figure] {
        let node = try await PageNode("alice")
        let meter = try ProcessMeter(node.processID)
        // Memory that only the start needed is freed meanwhile.
        try await Task.sleep(for: .seconds(1))
        let figures = [
            Figure(memory, meter.ownKilobytes / 1_024),
            Figure("MB resident", meter.residentKilobytes / 1_024),
        ]
        await node.end()
        return figures
    }

    /// The work of a node while nothing happens on its links to other nodes.
    static func idle(_ bench: Bench) async throws -> [Figure] {
        let links = 8
        let node = try await PageNode("alice")
        _ = try await node.run(["join", try bench.invites(.reader)])
        let peers = try (0..<links).map { _ in
            try bench.startNode(
                keepsInMemory: true,
                processor: 1,
                peers: node.ready.addresses
            ).child
        }
        defer { peers.forEach { $0.end() } }
        // All links are up and have been silent for long enough to be pinged.
        try await Task.sleep(for: .seconds(7))
        let meter = try ProcessMeter(node.processID)
        let seconds = bench.isQuick ? 5.0 : 10.0
        let begin = (ProcessMeter.now, meter.processorSeconds)
        var wakes = WakeUpCount(node.processID)
        let deadline = begin.0 + seconds
        while ProcessMeter.now < deadline {
            try await Task.sleep(for: WakeUpCount.interval)
            wakes.look()
        }
        let took = ProcessMeter.now - begin.0
        let used = meter.processorSeconds - begin.1
        let linked = try await linkCount(of: node)
        await node.end()
        guard linked == links else { throw BenchError.wrongCount("\(linked) links") }
        return [
            Figure(wakeUps, Double(wakes.count) / took),
            Figure("of threads/s", Double(wakes.countOfThreads) / took),
            Figure(share, used / took * 100),
        ]
    }

    /// The processor time of all processes that this one has started and that have ended.
    static var endedChildrenSeconds: Double {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
