import Foundation
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

    /// Devices with a link have no lines: one of their addresses is enough.
    @Test(arguments: [("lastSeen", 1), ("discovered", 1), ("connected", 0)])
    func whyADeviceIsNotReachedStandsBelow(state: String, lines: Int) {
        let failure = DialFailureDocument(reason: "no answer", dials: 3, at: 5_000)
        let peer = PeerDocument(
            device: "GMZZPOK-6ABCDEF",
            name: "study",
            state: state,
            address: "192.0.2.7:1",
            addresses: [
                AddressDocument(address: "192.0.2.7:1", failure: failure),
                AddressDocument(address: "192.0.2.8:1"),
            ],
            conversations: [],
            queue: 0
        )
        let expected = ["study at 192.0.2.7:1: no answer (3 dials, the last 7 s ago)"]
        let now = Date(timeIntervalSince1970: 12)
        #expect(PeerTable.failures(of: [peer], at: now) == Array(expected.prefix(lines)))
    }

    @Test func whoTakesNoNewSessionsStandsBelow() {
        let peer = PeerDocument(
            device: "GMZZPOK-6ABCDEF",
            state: "connected",
            address: "192.0.2.7:27275",
            conversations: ["games", "hall"],
            full: ["games"],
            queue: 0
        )
        let line = PeerTable.full(of: [peer]).first
        #expect(line?.hasPrefix("GMZZPOK6 takes no new sessions of games now: ") == true)
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
