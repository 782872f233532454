import ArgumentParser
import Foundation
import ParleyAPI
import ParleyNode
import ParleyTransport

/// `parley doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what keeps a node from its work, and say what helps.",
        discussion: """
              parley doctor
              parley doctor kitchen              # why is that device not linked?
              sudo parley doctor --data DIR      # reads the firewall as well
              parley doctor --format nagios

            For the textfile collector of node_exporter, which must not see half a file:

              cd /var/lib/prometheus/node-exporter
              parley doctor --format prometheus >parley.new; mv parley.new parley.prom

            It looks at the data directory and its disk, at the node, at avahi-daemon, the \
            firewall and the network, on which it asks and listens for two seconds. PEER is the \
            name of a device, the beginning of its ID, or an address, without port if it is known; \
            then it also says all that is known of this device and tries its addresses.

            ✓ is in order, ! is to be looked at, ✗ stops something, ? may not be looked at by \
            this user, and – could not be done or does not apply, which says nothing; an arrow \
            precedes what helps. The exit code is that of plugins of Nagios: 0 in order, 1 \
            warning, 2 critical, 3 unknown (?), as when the directory belongs to another user.
            """
    )

    /// The forms of the report.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, nagios, prometheus
    }

    @Argument(
        help: ArgumentHelp("A device: its name, the beginning of its ID, or its address.")
    )
    var peer: String?

    @Option(help: ArgumentHelp("The form of the report.", valueName: "form"))
    var format = Format.text

    @Flag(name: .shortAndLong, help: "Print the details of each finding.")
    var verbose = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = DoctorReport(await findings())
        let output = Output.standard
        switch common.json ? .json : format {
        case .text: report.show(isVerbose: verbose, on: output)
        case .json: try output.document(report)
        case .nagios: output.line(report.nagios)
        case .prometheus: output.bytes(Data(report.prometheus(at: Date()).utf8))
        }
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }

    private func findings() async -> [Finding] {
        let client = ControlClient(
            dataDirectory: common.dataDirectory,
            patience: Patience(seconds: common.seconds),
            origin: common.program.dataOrigin
        )
        if Output.error.isTerminal, Output.standard.isTerminal {
            Output.error.line(Output.error.style(.dim, "Looking around for some seconds …"))
        }
        let view = await NodeView(asking: client, data: common.data)
        let network = await NetworkView.look()
        let listening = view.status?.addresses.compactMap { try? SocketAddress(parsing: $0) }
        let firewall = FirewallCheck(
            port: listening?.first?.port ?? NodeSettings.defaultPort,
            usesDiscovery: view.status.map { $0.discovery.state != .off } ?? false,
            again: "sudo parley doctor --data \(ShellWord.quoted(common.dataDirectory.path))"
        )
        var findings = DirectoryChecks(
            directory: common.dataDirectory,
            start: common.program.start
        )
        .findings
        let service = InstalledService(of: common.dataDirectory)
        findings += NodeChecks(view: view, service: service).findings
        findings += await DiscoveryChecks(view: view, network: network).findings()
        findings += await ReachChecks(view: view, network: network, service: service).findings()
        findings.append(firewall.finding)
        if let peer {
            findings += await PeerChecks(text: peer, view: view, network: network).findings()
        }
        return findings
    }
}
