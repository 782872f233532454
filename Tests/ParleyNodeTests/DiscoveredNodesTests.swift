import ParleyNode
import TestSupport
import Testing

/// Nodes that find each other only by avahi-daemon.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: SystemBus.isReachable, "no D-Bus system bus: run under Deploy/with-avahi.sh")
)
struct DiscoveredNodesTests {
    @Test func findEachOtherAndExchangeMessages() async throws {
        let nodes = try TestNodes()
        let one = Node(nodes.discovering("one"))
        let two = Node(nodes.discovering("two"))
        _ = try await one.start()
        _ = try await two.start()
        _ = try await one.createConversation(named: "games")
        _ = try await two.join(try await one.invite(to: "games").link)
        _ = try await one.send(Draft("?hello"), to: "games")
        _ = try await eventually("the message", within: .seconds(30)) {
            try await two.urls("games") == ["?hello"] ? true : nil
        }
        let peers = await two.peers()
        #expect(peers.contains { $0.state == .connected && $0.name == "one" })
        await one.stop()
        await two.stop()
    }
}

extension TestNodes {
    func discovering(_ name: String) -> NodeSettings {
        var settings = settings(name)
        settings.usesDiscovery = true
        return settings
    }
}
