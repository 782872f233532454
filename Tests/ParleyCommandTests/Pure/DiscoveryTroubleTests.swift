import ParleyAPI
import ParleyCommand
import Testing

/// The words of commands about a node that does not find others by itself.
@Suite struct DiscoveryTroubleTests {
    @Test(arguments: ["published", "publishedHere", "browsing", "waitingForHostName"])
    func aNodeThatLooksForOthersHasNone(state: String) {
        #expect(DiscoveryTrouble(DiscoveryDocument(state: state, detail: "off")) == nil)
    }

    @Test(arguments: ["waitingForDaemon", "waitingForBus"])
    func aNodeThatWaitsForTheDaemonSaysHowToStartIt(state: String) throws {
        let document = DiscoveryDocument(state: state, detail: "waiting for Godot")
        let trouble = try #require(DiscoveryTrouble(document))
        #expect(trouble.message.contains("it is waiting for Godot."))
        #expect(trouble.hint.contains("sudo systemctl start avahi-daemon"))
    }

    @Test func aNodeWithoutAnInterfaceSaysSo() throws {
        let detail = "not announced: no interface fits"
        let document = DiscoveryDocument(state: "noInterface", detail: detail)
        let trouble = try #require(DiscoveryTrouble(document))
        #expect(trouble.message.contains("no interface fits"))
        #expect(trouble.hint.contains("ip -br address"))
    }

    @Test func aNodeWithoutDiscoverySaysSo() throws {
        let trouble = try #require(DiscoveryTrouble(DiscoveryDocument(state: "off", detail: "")))
        #expect(trouble.message.contains("discovery is off"))
        #expect(trouble.hint.contains("--no-discovery"))
    }
}
