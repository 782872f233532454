import ArgumentParser
import ParleyAPI

/// `parley peers`.
struct PeersCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "List the devices that share a conversation with this node, linked or not."
    )
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let peers = try await client.get("peers", as: [PeerDocument].self)
        if common.json { return try Output.standard.document(peers) }
        guard !peers.isEmpty else {
            Output.standard.line(
                "No peers yet. To see all devices on the network: " + common.command("nearby")
            )
            return
        }
        Output.standard.table(PeerTable.table(peers, on: .standard))
    }
}

/// `parley nearby`.
struct NearbyCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby",
        abstract: "List the announced and linked devices, whether they share a conversation or not."
    )
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let peers = try await client.get("nearby", as: [PeerDocument].self)
        if common.json { return try Output.standard.document(peers) }
        let discovery = try await client.get("status", as: StatusDocument.self).discovery
        let trouble = DiscoveryTrouble(discovery)
        if !peers.isEmpty {
            Output.standard.table(PeerTable.table(peers, on: .standard))
        } else if trouble == nil {
            Output.standard.line(
                "No device was found. Discovery: \(TerminalText.safe(discovery))."
            )
        } else {
            Output.standard.line("No device was found.")
        }
        guard let trouble else { return }
        Output.standard.line(trouble.message)
        Output.standard.line(trouble.hint)
    }
}

/// Devices in a table.
private enum PeerTable {
    static func table(_ peers: [PeerDocument], on output: Output) -> TextTable {
        var table = TextTable(["NAME", "STATE", "ADDRESS", "RTT", "QUEUE", "SHARES", "DEVICE"])
        for peer in peers {
            let style: Output.Style = peer.state == "connected" ? .green : .dim
            let shares = TerminalText.safe(peer.conversations.joined(separator: ", "))
            table.add([
                TerminalText.fitted(TerminalText.safe(peer.name ?? "–"), columns: 24),
                output.style(style, peer.state),
                TerminalText.safe(peer.address),
                peer.rttMs.map { "\((($0 * 10).rounded()) / 10) ms" } ?? "–",
                TerminalText.size(peer.queue),
                TerminalText.fitted(shares, columns: 30),
                DeviceText.short(peer.device),
            ])
        }
        return table
    }
}
