import Foundation

/// A measurement of the executable `parley`, which a process of its own carries out.
struct ProgramRow: Row {
    /// The measurements.
    enum Kind: String, CaseIterable {
        case status = "command-status"
        case alone = "memory-alone"
        case idle = "idle-8links"
        case start = "start-100000"
        case memory = "memory-100000"
        case read = "read-100000"
        case many = "many-1000"
        case file = "file-1GiB"
    }

    let kind: Kind

    var name: String { kind.rawValue }

    var targets: [Target] {
        switch kind {
        case .status: [Target(ProgramMeasurements.command, .atMost(30))]
        case .alone: [Target(ProgramMeasurements.memory, .atMost(20))]
        case .idle:
            [
                Target(ProgramMeasurements.wakeUps, .atMost(2)),
                Target(ProgramMeasurements.share, .atMost(0.1)),
            ]
        case .start: [Target(ProgramMeasurements.start, .atMost(1))]
        case .memory: [Target(ProgramMeasurements.linked, .atMost(120))]
        case .many:
            [
                Target(ProgramMeasurements.start, .atMost(1)),
                Target(ProgramMeasurements.memory, .atMost(120)),
                Target(ProgramMeasurements.share, .atMost(0.1)),
            ]
        case .file: [Target(ProgramMeasurements.besideTLS, .atLeast(0.7))]
        case .read:
            [
                Target(ProgramMeasurements.transcript, .atMost(300)),
                Target(ProgramMeasurements.page, .atMost(100)),
                Target(ProgramMeasurements.firstPage, .atMost(100)),
                Target(ProgramMeasurements.found, .atMost(100)),
                Target(ProgramMeasurements.grown, .atMost(20)),
            ]
        }
    }

    var missing: String? {
        guard kind == .file else { return nil }
        do {
            for program in FileTransfer.programs { _ = try Broker.executable(program) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    func measure(_ bench: Bench) async throws -> [Figure] {
        let order = ProgramChild.Order(
            kind: kind,
            isQuick: bench.isQuick,
            directory: bench.newDirectory()
        )
        let child = try ChildProcess(order.arguments)
        defer { child.end() }
        let line = try child.line(within: 600)
        return try JSONDecoder().decode([Figure].self, from: Data(line.utf8))
    }
}
