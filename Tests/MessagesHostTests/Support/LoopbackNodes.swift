import Foundation
import ParleyNode
import Testing

/// Real nodes on loopback, each with a data directory that goes with the test.
final class LoopbackNodes: Sendable {
    private let root = FileManager.default.temporaryDirectory
        .appending(path: "parley-host-\(UUID().uuidString.prefix(8))")

    deinit {
        // Files that are left behind are in the temporary directory.
        try? FileManager.default.removeItem(at: root)
    }

    /// A running node, and where it listens.
    func start(_ name: String, peers: [String] = []) async throws -> (Node, String) {
        var settings = NodeSettings(dataDirectory: root.appending(path: name))
        settings.name = name
        settings.listen = ["127.0.0.1:0"]
        settings.peers = peers
        settings.usesDiscovery = false
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let node = Node(settings)
        let ready = try await node.start()
        return (node, try #require(ready.addresses.first))
    }
}
