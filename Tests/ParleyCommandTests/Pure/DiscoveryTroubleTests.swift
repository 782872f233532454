import ParleyAPI
import ParleyCommand
import Testing

/// The words of commands about a node that does not find others by itself.
@Suite struct DiscoveryTroubleTests {
    typealias State = DiscoveryStatus.State

    @Test(arguments: [State.published, .publishedHere, .browsing, .waitingForHostName])
    func aNodeThatLooksForOthersHasNone(state: State) {
        #expect(DiscoveryTrouble(DiscoveryStatus(state: state, detail: "off")) == nil)
    }

    @Test(arguments: [State.waitingForDaemon, .waitingForBus])
    func aNodeThatWaitsForTheDaemonSaysHowToStartIt(state: State) throws {
        let document = DiscoveryStatus(state: state, detail: "waiting for Godot")
        let trouble = try #require(DiscoveryTrouble(document))
        #expect(trouble.message.contains("it is waiting for Godot."))
        #expect(trouble.hint.contains("sudo systemctl start avahi-daemon"))
    }

    @Test func aNodeWithoutAnInterfaceSaysSo() throws {
        let detail = "not announced: no interface fits"
        let document = DiscoveryStatus(state: .noInterface, detail: detail)
        let trouble = try #require(DiscoveryTrouble(document))
        #expect(trouble.message.contains("no interface fits"))
        #expect(trouble.hint.contains("ip -br address"))
    }

    @Test func aNodeWithoutDiscoverySaysSo() throws {
        let trouble = try #require(DiscoveryTrouble(DiscoveryStatus(state: .off, detail: "")))
        #expect(trouble.message.contains("discovery is off"))
        #expect(trouble.hint.contains("--no-discovery"))
    }
}
