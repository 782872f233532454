import ParleyAPI
import ParleyCommand
import Testing

/// The table of `parley peers` and `parley nearby`.
@Suite struct PeerTableTests {
    @Test func aLinkedDeviceIsShownWithItsLink() {
        let peer = PeerDocument(
            device: "GMZZPOK-6ABCDEF",
            name: "study",
            state: "connected",
            address: "192.0.2.7:27275",
            conversations: ["games", "hall"],
            rttMs: 1.26,
            queue: 0
        )
        #expect(
            PeerTable.cells(of: peer) == [
                "study", "connected", "192.0.2.7:27275", "1.3 ms", "0 B", "games, hall", "GMZZPOK6",
            ]
        )
    }

    /// Regression: a device that was away had an empty column, which nothing explained.
    @Test func whatIsNotKnownIsADash() {
        let peer = PeerDocument(
            device: "",
            state: "lastSeen",
            address: "",
            conversations: [],
            queue: 0
        )
        #expect(PeerTable.cells(of: peer) == ["–", "lastSeen", "–", "–", "0 B", "–", "–"])
    }
}
