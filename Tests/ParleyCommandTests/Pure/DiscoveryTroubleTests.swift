import ParleyCommand
import Testing

/// The words of commands about a node that does not find others by itself.
@Suite struct DiscoveryTroubleTests {
    @Test(arguments: ["published as parley-AB", "browsing", "avahi-daemon chooses a host name"])
    func aNodeThatLooksForOthersHasNone(state: String) {
        #expect(DiscoveryTrouble(state) == nil)
    }

    @Test(arguments: ["waiting for avahi-daemon", "waiting for a D-Bus system bus"])
    func aNodeThatWaitsForTheDaemonSaysHowToStartIt(state: String) throws {
        let trouble = try #require(DiscoveryTrouble(state))
        #expect(trouble.message.contains(state))
        #expect(trouble.hint.contains("sudo systemctl start avahi-daemon"))
    }

    @Test func aNodeWithoutAnInterfaceSaysSo() throws {
        let trouble = try #require(DiscoveryTrouble("not announced: no interface fits"))
        #expect(trouble.message.contains("no interface fits"))
        #expect(trouble.hint.contains("ip -br address"))
    }

    @Test func aNodeWithoutDiscoverySaysSo() throws {
        let trouble = try #require(DiscoveryTrouble("off"))
        #expect(trouble.message.contains("discovery is off"))
        #expect(trouble.hint.contains("--no-discovery"))
    }
}
