import ArgumentParser
import Foundation
import ParleyAPI
import ParleyFaults
import Synchronization

/// Runs seed after seed until stopped, and continues there the next time.
struct SoakRun {
    /// The contents of the file.
    private struct State: Codable {
        var nextSeed: UInt64 = 0
        var totals = SimulationTotals()
    }

    private let file: URL
    private let options: SimulationOptions
    private let jobs: Int?
    private var state = State()

    /// The number of seeds between two writes of the file, which a kill may lose.
    private static let stride: UInt64 = 200

    /// Makes a run that continues from the state in `file`, which need not exist.
    init(file: URL, options: SimulationOptions, jobs: Int?) throws(Problem) {
        self.file = file
        self.options = options
        self.jobs = jobs
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        let bytes: Data
        do {
            bytes = try Data(contentsOf: file)
        } catch {
            throw Problem(
                .unreadableInput,
                "\(file.path) cannot be read: \(OutputFile.reason(error)).",
                hint: "Name another file with --soak."
            )
        }
        do {
            state = try JSON.decode(State.self, from: bytes)
        } catch {
            throw Problem(
                .badInput,
                "\(file.path) is not the state of a soak run.",
                hint: "Name another file, or remove this one to start again."
            )
        }
    }

    /// Runs until a signal or a broken promise, and records the finished seeds.
    mutating func run(asJSON: Bool) async throws {
        // A file that cannot be written is reported before the work.
        try save()
        let signals = await EndSignals()
        let stop = SoakStop()
        var broken: UInt64?
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await stop.wait(for: signals) }
            broken = try await sweep(asJSON: asJSON) { stop.signal != nil }
            group.cancelAll()
        }
        signals.letGo()
        if let broken {
            BrokenRun(seed: broken, options: options).report(asJSON: asJSON)
            throw ExitCode(1)
        }
        Output.error.line("stopped: \(file.path) continues with seed \(state.nextSeed)")
        stop.signal?.raise()
    }

    /// Runs seeds until `isStopped` or one of them breaks a promise.
    ///
    /// - Returns: the first seed with a broken promise.
    private mutating func sweep(
        asJSON: Bool,
        until isStopped: () -> Bool
    ) async throws -> UInt64? {
        var sweep = SeedSweep(options: options, jobs: jobs)
        sweep.progress = SimulationProgress(totals: state.totals)
        var broken: UInt64?
        while broken == nil, !isStopped() {
            var next = state.nextSeed
            try await sweep.run(next..<next + Self.stride) { result in
                // Ctrl-C also ends the program at the other end of a pipe, so nothing is printed.
                guard !isStopped() else { return false }
                if asJSON { try Output.standard.object(SimulationDocument(result)) }
                if !result.isGood, broken == nil { broken = result.seed }
                next = result.seed + 1
                return true
            }
            state.nextSeed = next
            state.totals = sweep.progress.totals
            try save()
        }
        return broken
    }

    private func save() throws {
        try OutputFile(file.path, option: "--soak").write(JSON.encode(state, isPretty: true))
    }
}

/// The signal that asks a soak run to stop, once it was received.
private final class SoakStop: Sendable {
    private let received = Mutex<EndSignals.End?>(nil)

    var signal: EndSignals.End? { received.withLock { $0 } }

    /// Waits for a signal and keeps it; a second one ends the process at once.
    func wait(for signals: EndSignals) async throws {
        do {
            try await signals.wait()
        } catch let signal as EndSignals.End {
            received.withLock { $0 = signal }
            signals.letGo()
        }
    }
}
