import ArgumentParser
import Foundation
import ParleyAPI
import ParleyFaults
import Synchronization

/// Runs seed after seed until it is stopped, and continues from there the next time.
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

    /// The number of seeds between two writes of the file, as a process may be killed.
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

    /// Runs until the process gets a signal to end or a promise is broken, and notes the seeds that
    /// are done in the file.
    mutating func run(asJSON: Bool) async throws {
        // A file that cannot be written is told before the work.
        try save()
        let signals = await EndSignals()
        let stop = SoakStop()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await stop.wait(for: signals) }
            try await sweep(asJSON: asJSON) { stop.signal != nil }
            group.cancelAll()
        }
        signals.letGo()
        stop.signal?.raise()
    }

    private mutating func sweep(asJSON: Bool, until isStopped: () -> Bool) async throws {
        var sweep = SeedSweep(options: options, jobs: jobs)
        sweep.progress = SimulationProgress(totals: state.totals)
        while !isStopped() {
            var next = state.nextSeed
            var broken: UInt64?
            try await sweep.run(next..<next + Self.stride) { result in
                if asJSON { try Output.standard.object(SimulationDocument(result)) }
                if !result.isGood, broken == nil { broken = result.seed }
                next = result.seed + 1
                return !isStopped()
            }
            state.nextSeed = next
            state.totals = sweep.progress.totals
            try save()
            guard let broken else { continue }
            BrokenRun(seed: broken, options: options).tell(asJSON: asJSON)
            throw ExitCode(1)
        }
        let next = state.nextSeed
        Output.error.line("stopped; the next run with \(file.path) begins with seed \(next)")
    }

    private func save() throws {
        try OutputFile(file.path, option: "--soak").write(JSON.encode(state, isPretty: true))
    }
}

/// The signal that asks a soak run to stop, once it was received.
private final class SoakStop: Sendable {
    private let received = Mutex<EndSignals.End?>(nil)

    var signal: EndSignals.End? { received.withLock { $0 } }

    /// Waits for a signal and keeps it.
    func wait(for signals: EndSignals) async throws {
        do {
            try await signals.wait()
        } catch let signal as EndSignals.End {
            received.withLock { $0 = signal }
        }
    }
}
