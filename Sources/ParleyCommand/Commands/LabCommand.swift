import ArgumentParser
import Foundation
import Logging
import ParleyAPI
import ParleyFaults
import ServiceLifecycle
import UnixSignals

/// `parley lab`.
struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Test with several hosts on this machine.",
        subcommands: [LabRunCommand.self]
    )
}

/// `parley lab run`.
struct LabRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a plan against real nodes on several hosts of this machine.",
        discussion: """
              parley lab run Tests/Plans/01-first-message.yaml
              parley lab run plan.yaml --keep

            The hosts are network namespaces, each with its own bus and avahi-daemon, which needs \
            root. A plan with a fault that the lab does not support is refused before the run. \
            docs/plans.md describes plans. Ctrl-C removes everything.
            """
    )
    @Argument(help: "The plan, a YAML file.") var plan: String
    @Flag(help: "Keep hosts and nodes running when the plan has ended.") var keep = false
    @Option(
        help: ArgumentHelp(
            "Copy the logs of nodes and programs to this folder.",
            valueName: "folder"
        )
    )
    var logs: String?
    @Option(help: "The seed of faults of packets (default: one drawn and printed).")
    var seed: UInt64?
    @OptionGroup var files: PlanFiles
    @Flag(help: "Print JSON for programs, and progress on standard error.") var json = false

    func run() async throws {
        let read = try PlanFile.read(plan)
        try PlanFile.check(read, in: plan, for: .lab)
        try files.check()
        guard geteuid() == 0 else {
            throw Problem(
                .notRoot,
                "The lab needs root, because it creates network namespaces.",
                hint: read.worlds.contains(.simulator)
                    && read.impossibleFaults(in: .simulator).isEmpty
                    ? "Run it with sudo, or in virtual time: parley simulate --plan "
                        + ShellWord.quoted(plan)
                    : "Run it with sudo."
            )
        }
        let service = LabService(
            plan: read,
            seed: seed ?? UInt64.random(in: 0..<1_000_000_000),
            files: files,
            logFolder: logs,
            path: plan,
            asJSON: json,
            keeps: keep
        )
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(
                    service: service,
                    successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .cancelGroup
                )
            ],
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: Logger(label: "parley.lab") { _ in SwiftLogNoOpLogHandler() }
        )
        configuration.maximumCancellationDuration = .seconds(30)
        try await ServiceGroup(configuration: configuration).run()
    }
}
