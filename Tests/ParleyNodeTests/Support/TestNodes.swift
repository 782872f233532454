import Foundation
import ParleyNode
import Synchronization
import Testing

/// Nodes on loopback, each with its own data directory, which is removed with them.
final class TestNodes: Sendable {
    let root: URL
    private let started = Mutex<[Node]>([])

    init() throws {
        root = FileManager.default.temporaryDirectory
            .appending(path: "parley-node-tests-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit {
        // Files that are left behind are in the temporary directory.
        try? FileManager.default.removeItem(at: root)
    }

    func settings(_ name: String, peers: [String] = []) -> NodeSettings {
        var settings = NodeSettings(dataDirectory: root.appending(path: name))
        settings.name = name
        settings.listen = ["127.0.0.1:0"]
        settings.peers = peers
        settings.usesDiscovery = false
        return settings
    }

    /// Starts a node; returns it and its address.
    func start(_ name: String, peers: [String] = []) async throws -> (Node, String) {
        let (node, ready) = try await start(settings(name, peers: peers))
        return (node, try #require(ready.addresses.first))
    }

    /// A running node with these settings.
    func start(_ settings: NodeSettings) async throws -> (Node, ReadyNode) {
        let node = Node(settings)
        keep(node)
        return (node, try await node.start())
    }

    /// Has `stopAll` stop a node as well.
    func keep(_ node: Node) { started.withLock { $0.append(node) } }

    /// A running node with the conversation `games` and a message in it.
    func startWithMessage() async throws -> (Node, SentMessage) {
        let (node, _) = try await start("one")
        _ = try await node.createConversation(named: "games")
        return (node, try await node.send(Draft("?move=1"), to: "games"))
    }

    /// Stops every node that was started here; nodes that are stopped already stay so.
    func stopAll() async {
        for node in started.withLock({ $0 }) { await node.stop() }
    }
}

extension Draft {
    /// Makes a draft with that URL.
    init(_ url: String, session: SessionID = SessionID()) {
        var content = MessageContent()
        content.url = url
        content.layout = ContentLayout()
        self.init(session: session, content: content)
    }
}

extension Node {
    /// The URLs of the shown messages, in the order of the transcript.
    func urls(_ conversation: String) async throws -> [String] {
        try await transcript(of: conversation).compactMap { entry in
            if case .message(let message) = entry { message.content?.url } else { nil }
        }
    }
}
