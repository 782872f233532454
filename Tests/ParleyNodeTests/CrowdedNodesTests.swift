import Foundation
import ParleyNode
import TestSupport
import Testing

/// More nodes than one has slots for links to.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct CrowdedNodesTests {
    /// Regression: nodes that came when all others were full found no slot.
    @Test func everybodyTakesPart() async throws {
        let nodes = try TestNodes()
        let (first, address) = try await start(0, of: nodes, knowing: [])
        _ = try await first.createConversation(named: "games")
        _ = try await first.send(Draft("?from=0"), to: "games")
        let invite = try await first.invite(to: "games").link
        var running = [first]
        var addresses = [address]
        for number in 1..<12 {
            let begin = ContinuousClock.now
            let (node, address) = try await start(number, of: nodes, knowing: addresses)
            running.append(node)
            addresses.append(address)
            _ = try await node.join(invite)
            try await eventually("the first message at node \(number)", within: .seconds(30)) {
                try await node.urls("games").contains("?from=0")
            }
            print("crowd: node \(number) was served after \(ContinuousClock.now - begin)")
            // A link has its slot for five seconds in any case.
            if number == 8 { try await Task.sleep(for: .seconds(5)) }
        }
        for (number, node) in running.enumerated().dropFirst() {
            _ = try await node.send(Draft("?from=\(number)"), to: "games")
        }
        let urls = Set(running.indices.map { "?from=\($0)" })
        for (number, node) in running.enumerated() {
            try await eventually("all messages at node \(number)", within: .seconds(30)) {
                try await Set(node.urls("games")) == urls
            }
        }
        await nodes.stopAll()
    }

    /// Starts a node with eight slots, which knows these addresses.
    private func start(
        _ number: Int,
        of nodes: TestNodes,
        knowing addresses: [String]
    ) async throws -> (Node, String) {
        var settings = nodes.settings("node-\(number)", peers: addresses)
        settings.linksMax = 8
        let (node, ready) = try await nodes.start(settings)
        return (node, try #require(ready.addresses.first))
    }
}
