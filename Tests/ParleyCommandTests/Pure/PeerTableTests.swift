import Foundation
import ParleyAPI
import ParleyCommand
import Testing

/// The table of `parley peers` and `parley nearby`.
@Suite struct PeerTableTests {
    @Test func aLinkedDeviceIsShownWithItsLink() {
        let peer = Peer(
            device: "GMZZPOK-6ABCDEF",
            name: "study",
            state: .connected,
            address: "192.0.2.7:27275",
            conversations: ["games", "hall"],
            roundTrip: .microseconds(1_260)
        )
        #expect(
            PeerTable.cells(of: peer) == [
                "study", "connected", "192.0.2.7:27275", "1.3 ms", "0 B", "games, hall", "GMZZPOK6",
            ]
        )
    }

    /// Devices with a link have no lines: one of their addresses is enough.
    @Test(arguments: [(Peer.State.lastSeen, 1), (.discovered, 1), (.connected, 0)])
    func whyADeviceIsNotReachedStandsBelow(state: Peer.State, lines: Int) {
        let failure = Peer.Failure(
            reason: "no answer",
            dials: 3,
            at: Date(timeIntervalSince1970: 5)
        )
        let peer = Peer(
            device: "GMZZPOK-6ABCDEF",
            name: "study",
            state: state,
            address: "192.0.2.7:1",
            addresses: [
                Peer.Address(text: "192.0.2.7:1", failure: failure),
                Peer.Address(text: "192.0.2.8:1"),
            ],
            conversations: []
        )
        let expected = ["study at 192.0.2.7:1: no answer (3 dials, the last 7 s ago)"]
        let now = Date(timeIntervalSince1970: 12)
        #expect(PeerTable.failures(of: [peer], at: now) == Array(expected.prefix(lines)))
    }

    @Test func whoTakesNoNewSessionsStandsBelow() {
        let peer = Peer(
            device: "GMZZPOK-6ABCDEF",
            state: .connected,
            address: "192.0.2.7:27275",
            conversations: ["games", "hall"],
            full: ["games"]
        )
        let line = PeerTable.full(of: [peer]).first
        #expect(line?.hasPrefix("GMZZPOK6 takes no new sessions of games now: ") == true)
    }

    /// Regression: a device that was away had an empty column, which nothing explained.
    @Test func whatIsNotKnownIsADash() {
        let peer = Peer(
            device: "",
            state: .lastSeen,
            address: "",
            conversations: []
        )
        #expect(PeerTable.cells(of: peer) == ["–", "lastSeen", "–", "–", "0 B", "–", "–"])
    }
}
