import Foundation
import ParleyNode
import Testing

/// Nodes on loopback, each with its own data directory, which is removed with them.
final class TestNodes: Sendable {
    let root: URL

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
        let node = Node(settings(name, peers: peers))
        let ready = try await node.start()
        return (node, try #require(ready.addresses.first))
    }
}

extension Draft {
    /// Makes a draft with that URL.
    init(_ url: String, session: SessionID = SessionID()) {
        var content = MessageContent()
        content.url = url
        content.layout = Layout()
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
