import ArgumentParser
import Foundation
import ParleyAPI
import ParleyNode

/// `parley status`.
struct StatusCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print the status of the node.",
        discussion: """
            The exit code is 69 if no node is running, and with --check 1 if something keeps the \
            node from its work: it does not listen, nothing can be stored, a conversation or a \
            quota is full, or it is not announced.
            """
    )
    @Flag(help: "End with 1 if something keeps the node from its work.") var check = false
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let status = try await client.get("status", as: NodeStatus.self)
        if common.json {
            try Output.standard.document(status)
        } else {
            show(status)
        }
        if check, !status.troubles.isEmpty { throw ExitCode(ExitStatus.failed.rawValue) }
    }

    private func show(_ status: NodeStatus) {
        let output = Output.standard
        let store = output.style(
            status.store.detail == nil ? .green : .red,
            TerminalText.safe(status.store.detail ?? status.store.state.rawValue)
        )
        let rows: [(String, String)?] = [
            ("Name", TerminalText.safe(status.name)),
            ("Device", "\(status.device)  (\(DeviceText.short(status.device)) in logs)"),
            status.previousDevice.map {
                ("Changed", output.style(.red, Self.warning(ofKeyOf: $0)))
            },
            ("Version", status.version),
            ("Addresses", status.addresses.joined(separator: ", ")),
            ("Links", "\(status.links)"),
            ("Conversations", "\(status.conversations)"),
            ("Sessions", "\(status.sessions)"),
            ("Store", store),
            ("Discovery", TerminalText.safe(status.discovery.detail)),
            troubles(of: status).map { ("Troubles", output.style(.red, $0)) },
            status.clock.map { ("Clock", output.style(.red, TerminalText.safe($0))) },
            status.copy.map { ("Copy", output.style(.red, Self.warning(ofCopyAt: $0))) },
        ]
        for (name, value) in rows.compactMap(\.self) {
            let label = name.padding(toLength: 14, withPad: " ", startingAt: 0)
            output.line(output.style(.dim, label) + value)
        }
    }

    private func troubles(of status: NodeStatus) -> String? {
        let words = status.troubles.map(\.words).joined(separator: "; ")
        return words.isEmpty ? nil : words
    }

    private static func warning(ofCopyAt address: String) -> String {
        "another process with this device's key was met, last at \(TerminalText.safe(address)): "
            + "stop the copy and move its device.key away"
    }

    private static func warning(ofKeyOf previous: String) -> String {
        "this data directory was device \(previous) before the last start, and has another key"
    }
}
