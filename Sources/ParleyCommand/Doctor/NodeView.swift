import Foundation
import ParleyAPI
import ParleyNode

/// The answers of a running node, as far as there are any.
struct NodeView: Sendable {
    private(set) var status: NodeStatus?
    private(set) var peers: [Peer] = []
    private(set) var nearby: [Peer] = []
    private(set) var conversations: [Conversation] = []
    /// The last messages of other devices in all readable conversations.
    private(set) var latest: [Summary] = []
    /// Why there is no status.
    private(set) var problem = Problem(.noNode, "No node is running.")

    private static let conversationsMax = 64
    private static let entriesMax = 50

    init(asking client: ControlClient, data: String?) async {
        do {
            status = try await client.get("status", as: NodeStatus.self)
            peers = try await client.get("peers", as: [Peer].self)
            nearby = try await client.get("nearby", as: [Peer].self)
        } catch {
            problem = (error as? Problem ?? Problem(.internal, "\(error)")).ofNode(data: data)
            return
        }
        let own = status?.device
        let all = (try? await client.get("conversations", as: [Conversation].self)) ?? []
        conversations = all
        for conversation in all.prefix(Self.conversationsMax) where conversation.role != .relay {
            let path = "\(PathText.conversation(conversation.name))/transcript"
            // A conversation that was left meanwhile does not matter.
            let page = try? await client.get(
                "\(path)?limit=\(Self.entriesMax)",
                as: TranscriptPage.self
            )
            latest += (page?.entries ?? []).map(\.summary).filter { $0.sender.device != own }
        }
    }

    /// The devices that fit a name, the beginning of an ID, or an address.
    func devices(_ text: String) -> [Peer] {
        var found: [Peer] = []
        let id = text.filter { $0 != "-" }.uppercased()
        for peer in peers + nearby where !found.contains(where: { $0.device == peer.device }) {
            let addresses = peer.addresses.map(\.text) + [peer.address]
            let device = peer.device.filter { $0 != "-" }
            let isMeant =
                peer.name == text || addresses.contains { Self.isAt($0, text) }
                || id.utf8.count >= 4 && device.hasPrefix(id)
            if isMeant { found.append(peer) }
        }
        return found
    }

    /// Whether an address is the named one, with or without the port.
    static func isAt(_ address: String, _ text: String) -> Bool {
        address == text || address.hasPrefix("\(text):") || address.hasPrefix("[\(text)]:")
    }
}
