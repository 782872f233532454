import ArgumentParser
import Foundation
import ParleyAPI
import ParleyFaults

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
        let stop = SweepStop()
        let broken = try await stop.during { try await sweep(asJSON: asJSON, until: stop) }
        if let broken {
            BrokenRun(seed: broken, options: options).report(asJSON: asJSON)
            throw ExitCode(1)
        }
        Output.error.line("stopped: \(file.path) continues with seed \(state.nextSeed)")
        stop.signal?.raise()
    }

    /// Runs seeds until `stop` or one of them breaks a promise.
    ///
    /// - Returns: the first seed with a broken promise.
    private mutating func sweep(
        asJSON: Bool,
        until stop: SweepStop
    ) async throws -> UInt64? {
        var sweep = SeedSweep(options: options, jobs: jobs)
        sweep.progress = SimulationProgress(totals: state.totals)
        var broken: UInt64?
        while broken == nil, stop.signal == nil {
            var next = state.nextSeed
            try await sweep.run(next..<next + Self.stride) { result in
                // Ctrl-C also ends the program at the other end of a pipe, so nothing is printed.
                guard stop.signal == nil else { return false }
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
