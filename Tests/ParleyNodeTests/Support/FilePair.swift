import Foundation
import ParleyNode
import TestSupport
import Testing

/// Two nodes that share the conversation `games`, of which the first one offers files.
final class FilePair {
    let nodes: TestNodes
    let one: Node
    private(set) var two: Node
    /// The second node reaches the first one only through this.
    let proxy: CuttingProxy

    init(
        offering: (inout NodeSettings) -> Void = { _ in },
        accepting: (inout NodeSettings) -> Void = { _ in }
    ) async throws {
        nodes = try TestNodes()
        var settings = nodes.settings("one")
        offering(&settings)
        let (one, ready) = try await nodes.start(settings)
        proxy = try CuttingProxy(to: try #require(ready.addresses.first))
        settings = nodes.settings("two", peers: [proxy.address])
        accepting(&settings)
        (two, _) = try await nodes.start(settings)
        self.one = one
        _ = try await one.createConversation(named: "games")
        _ = try await two.join(try await one.invite(to: "games").link)
    }

    func stop() async {
        await nodes.stopAll()
        proxy.stop()
    }

    /// Starts the second node again.
    func restartTwo() async throws {
        await two.stop()
        (two, _) = try await nodes.start("two", peers: [proxy.address])
    }

    /// Bytes of which each part differs from the others.
    static func bytes(_ count: Int) -> Data {
        var random = SeededRandom(seed: 7)
        var data = Data(capacity: count + 8)
        while data.count < count {
            withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }

    /// Offers a file from the first node; returns its session once the second one has the message.
    func offer(_ bytes: Data, named name: String = "film.mkv") async throws -> SessionID {
        let file = nodes.root.appending(path: name)
        try bytes.write(to: file)
        let sent = try await one.offerFile(at: file, type: "video/x-matroska", to: "games")
        let two = two
        try await eventually("the offer") {
            (try? await two.fileTransfer(of: sent.session, in: "games")) != nil
        }
        return sent.session
    }

    /// The state of a file at the second node.
    func state(of session: SessionID) async throws -> FileTransfer {
        try await two.fileTransfer(of: session, in: "games")
    }

    /// Waits for a state of a file at the second node.
    func await(_ state: FileTransfer.State, of session: SessionID) async throws -> FileTransfer {
        let two = two
        return try await eventually("the file is \(state)") {
            let transfer = try await two.fileTransfer(of: session, in: "games")
            return transfer.state == state ? transfer : nil
        }
    }

    /// What the second node has in its directory for files.
    func kept(by node: String = "two") -> [String: Int] {
        let folder = nodes.root.appending(path: "\(node)/files")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                let path = folder.appending(path: name).path
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size]
                return (name, size as? Int ?? -1)
            }
        )
    }
}
