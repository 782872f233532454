import ArgumentParser
import Foundation
import ParleyAPI
import ParleyFaults

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

    /// The number of seeds between two writes of the file.
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

    /// Runs until the process is stopped or a promise is broken.
    mutating func run(asJSON: Bool) async throws {
        var sweep = SeedSweep(options: options, jobs: jobs)
        sweep.progress = SimulationProgress(totals: state.totals)
        // A file that cannot be written is told before the work.
        try save()
        while true {
            let range = state.nextSeed..<state.nextSeed + Self.stride
            var broken: UInt64?
            try await sweep.run(range) { result in
                if asJSON { try Output.standard.object(SimulationDocument(result)) }
                if !result.isGood, broken == nil { broken = result.seed }
                return true
            }
            state.nextSeed = range.upperBound
            state.totals = sweep.progress.totals
            try save()
            guard let broken else { continue }
            BrokenRun(seed: broken, options: options).tell(asJSON: asJSON)
            throw ExitCode(1)
        }
    }

    private func save() throws {
        try OutputFile(file.path, option: "--soak").write(JSON.encode(state, isPretty: true))
    }
}
