import Foundation
import ParleyAPI
import ParleyFaults
import ServiceLifecycle

/// A run of a plan on the lab as a service, which removes its hosts at the end.
struct LabService: Service {
    let plan: Plan
    let seed: UInt64
    let files: PlanFiles
    /// The folder to which the logs are copied.
    let logFolder: String?
    let path: String
    let asJSON: Bool
    /// Whether hosts and nodes stay when the plan has ended.
    let keeps: Bool

    func run() async throws {
        let prefix = "p" + String(getpid(), radix: 36)
        let directory = try PrivateFiles.folder("parley-lab-\(prefix)")
        let script = try LabScript(prefix: prefix, in: directory)
        let guardian = keeps ? nil : try LabGuard(script, directory: directory)
        let screen = PlanScreen(asJSON: asJSON)
        let run = try LabRun(
            plan,
            seed: seed,
            script: script,
            directory: directory,
            screen: screen
        )
        let result: Result<PlanReport, any Error>
        do {
            let report = try await cancelWhenGracefulShutdown {
                try await run.setUp()
                return try await run.carryOut()
            }
            result = .success(report)
        } catch {
            result = .failure(error)
        }
        let wasStopped = Task.isShuttingDownGracefully
        if case .failure(let error) = result {
            let reason = (error as? Problem)?.message ?? "The plan was stopped."
            let broken = JUnitDocument.Run(report: await run.run.report, broken: [reason])
            try? files.write([broken], of: path)
        }
        if !wasStopped, (try? result.get().passed) != true { showLogs(run) }
        var logProblem: Problem?
        do throws(Problem) {
            try copyLogs(run)
        } catch {
            logProblem = error
        }
        if let guardian {
            await run.tearDown()
            await guardian.letGo()
        } else {
            writeHowToGoOn(script, screen)
        }
        if wasStopped { throw Problem(.planFailed, "The plan was stopped.") }
        if let logProblem { Output.error.line("error: \(logProblem.message)") }
        try finish(try result.get(), screen)
        if let logProblem { throw logProblem }
    }

    private func finish(_ report: PlanReport, _ screen: PlanScreen) throws {
        try files.write([JUnitDocument.Run(report: report)], of: path)
        screen.show(report)
        if asJSON { try Output.standard.document(PlanResultDocument(report)) }
        let hint = keeps ? "" : "To inspect the hosts, run it with --keep."
        guard !report.passed else { return }
        throw report.problem(in: path, hint: hint)
    }

    private func copyLogs(_ run: LabRun) throws(Problem) {
        guard let logFolder else { return }
        let manager = FileManager.default
        let target = URL(filePath: logFolder)
        do {
            try manager.createDirectory(at: target, withIntermediateDirectories: true)
            for host in run.hosts {
                for log in host.logs where manager.fileExists(atPath: log.file.path) {
                    let name = log.name.replacing(" of ", with: ".") + ".log"
                    try Data(contentsOf: log.file).write(to: target.appending(path: name))
                }
            }
        } catch {
            throw OutputFile.problem(error, logFolder, option: "--logs")
        }
    }

    private func showLogs(_ run: LabRun) {
        let logs = run.hosts.flatMap { host in host.logs.map { (host, $0.name, $0.file) } }
        for (host, name, file) in logs {
            let lines = host.lastLogLines(30, of: file)
            guard !lines.isEmpty else { continue }
            Output.error.line("\(name) logged:")
            for line in lines { Output.error.line("  " + TerminalText.safe(line)) }
        }
    }

    private func writeHowToGoOn(_ script: LabScript, _ screen: PlanScreen) {
        let lab = "\(ShellWord.quoted(script.path)) -p \(script.prefix)"
        let isOfPackets = plan.faults.contains(where: \.isOfPackets)
        let hint = isOfPackets ? " (their cables end with this program)" : ""
        screen.say("The hosts are kept\(hint):")
        for (index, host) in plan.hosts.enumerated() {
            let data = script.scratch.appending(path: "\(host.name)/data").path
            let status = host.hasNode ? "    parley status --data \(data)" : ""
            screen.say("  \(host.name): \(lab) exec \(index + 1) bash\(status)")
        }
        let folder = ShellWord.quoted(script.scratch.path)
        screen.say(
            "Remove them with: \(lab) down; umount \(folder)/* 2>/dev/null; rm -rf \(folder)"
        )
    }
}
