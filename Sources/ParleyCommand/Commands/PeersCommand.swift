import ArgumentParser
import ParleyAPI

/// `parley peers`.
struct PeersCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "List the members that are or were linked with this node, or that others know.",
        discussion: """
            STATE is connected for a working link, unresponsive for one that does not answer at \
            the moment, and connecting while the device is dialled. throughOthers is a device that \
            has no link and is reached through others, and lastSeen one that is away now.

            SHARES has the conversations that are known to be shared. Of a device that is away, \
            these are the ones that it shared on a link since this node was started, those in \
            which this node has read its feed, and those in which it has written. A dash (–) \
            stands for what is not known.

            Below the table stands when others last heard of devices without a link, why these \
            were not reached at their addresses, and which devices have no space for new sessions \
            of a conversation.
            """
    )
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let peers = try await client.get("peers", as: [Peer].self)
        if common.json { return try Output.standard.document(peers) }
        guard !peers.isEmpty else {
            Output.standard.line(
                "No peers: this node knows of no member that is or was linked with it. "
                    + "To see all devices on the network: " + common.command("nearby")
            )
            return
        }
        PeerTable.show(peers, on: .standard)
    }
}

/// `parley nearby`.
struct NearbyCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby",
        abstract: "List the devices that are announced or linked, members or not.",
        discussion: """
            STATE is discovered for a device that shares no conversation with this node, as far as \
            is known, and configured for an address that a person gave, where no device that \
            shares one has answered. The other states are those of peers.
            """
    )
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let peers = try await client.get("nearby", as: [Peer].self)
        if common.json { return try Output.standard.document(peers) }
        let discovery = try await client.get("status", as: NodeStatus.self).discovery
        let trouble = DiscoveryTrouble(discovery)
        if !peers.isEmpty {
            PeerTable.show(peers, on: .standard)
        } else if trouble == nil {
            Output.standard.line(
                "No device was found. Discovery: \(TerminalText.safe(discovery.detail))."
            )
        } else {
            Output.standard.line("No device was found.")
        }
        guard let trouble else { return }
        Output.standard.line(trouble.message)
        Output.standard.line(trouble.hint)
    }
}
