import ArgumentParser
import Foundation
import ParleyAPI
import ParleyProxy
import ParleyWeb

/// `parley proxy replay`.
struct ProxyReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run the proxies of a trace again, and compare the faults.",
        discussion: """
              parley proxy run --config proxies.json --trace trace.jsonl
              parley proxy replay trace.jsonl

            It has the seed of the trace and makes the recorded changes at their times, so start \
            the same program against it. Ctrl-C ends it and prints the verdict: the exit code is 1 \
            if a fault was another one than that of the same place, or none happened. Faults of \
            connections that the program has not made are missing; changes at their times meet \
            other bytes if the program is faster or slower than it was.
            """
    )
    @Argument(help: "The trace, a file.") var trace: String
    @Option(
        help: ArgumentHelp(
            "Where to serve the control (default: 127.0.0.1:8474).",
            valueName: "host:port"
        )
    )
    var control: String?

    private static let traceBytesMax = 1 << 30

    func run() async throws {
        let data = try SmallFile.contents(of: trace, bytesMax: Self.traceBytesMax, "trace")
        let run: RecordedRun
        do throws(TraceFault) {
            run = try RecordedRun(String(decoding: data, as: UTF8.self))
        } catch {
            throw FileProblem.at(
                trace,
                line: error.line,
                .badInput,
                "This is no line of a trace.",
                hint: "A trace is written by: parley proxy run --trace FILE; if its last line was "
                    + "cut off, remove that line."
            )
        }
        let judge = ReplayJudge(run)
        let service = try ProxyService(
            proxies: FaultProxies(seed: run.seed, observer: judge),
            control: control
        )
        let count = run.faults.values.reduce(0) { $0 + $1.count }
        try await service.serve(run.changes) {
            Output.error.line(
                "changes: \(run.changes.count), faults: \(count) to replay, seed \(run.seed), "
                    + "control at http://\(service.address)"
            )
        }
        let verdict = judge.verdict
        Output.standard.line(
            "\(verdict.equal) of \(count) faults were as recorded, "
                + "\(verdict.missing) did not happen, \(verdict.further) came after them"
        )
        if let difference = verdict.difference {
            Output.standard.line("recorded: " + TerminalText.safe(difference.recorded.words))
            Output.standard.line("now:      " + TerminalText.safe(difference.now.words))
        } else if verdict.equal > 0 || count == 0 {
            return
        }
        throw ExitCode(ExitStatus.failed.rawValue)
    }
}
