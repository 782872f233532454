import ParleyCore
import Testing

/// Peers that were turned away are remembered for a while.
struct TurnedAwayPeersTests {
    private func device(_ number: UInt64) -> DeviceID { DeviceID(Bytes32(number, 0, 0, 0)) }

    private func moment(_ milliseconds: Int64) -> Moment { .start + .milliseconds(milliseconds) }

    @Test(arguments: [
        Question(device: 1, milliseconds: 0, isRemembered: true),
        Question(device: 1, milliseconds: 5_000, isRemembered: true),
        Question(device: 1, milliseconds: 5_001, isRemembered: false),
        Question(device: 2, milliseconds: 5_001, isRemembered: true),
        Question(device: 3, milliseconds: 1, isRemembered: false),
        // This node dialled, and it was the peer that had dialled before.
        Question(device: 1, isOwnDial: true, milliseconds: 0, isRemembered: false),
        Question(device: 4, isOwnDial: true, milliseconds: 0, isRemembered: true),
        Question(device: 4, milliseconds: 0, isRemembered: false),
    ])
    func aPeerIsRememberedForFiveSeconds(_ question: Question) {
        var peers = TurnedAwayPeers()
        peers.insert(device(1), isOwnDial: false, at: .start)
        peers.insert(device(4), isOwnDial: true, at: .start)
        peers.insert(device(2), isOwnDial: false, at: moment(1))
        let isRemembered = peers.contains(
            device(question.device),
            isOwnDial: question.isOwnDial,
            at: moment(question.milliseconds)
        )
        #expect(isRemembered == question.isRemembered)
    }

    /// Whether a device is remembered at a time.
    ///
    /// 1 and 2 dialled and were turned away at 0 and 1 ms, and 4 was dialled.
    struct Question: Sendable {
        let device: UInt64
        var isOwnDial = false
        let milliseconds: Int64
        let isRemembered: Bool
    }

    @Test func theOldestOf257IsForgotten() {
        var peers = TurnedAwayPeers()
        let isThere = { (peers: TurnedAwayPeers, number: UInt64) in
            peers.contains(device(number), isOwnDial: false, at: .start)
        }
        for number in 0..<UInt64(256) {
            peers.insert(device(number), isOwnDial: false, at: .start)
        }
        peers.insert(device(7), isOwnDial: false, at: .start)
        #expect(isThere(peers, 0), "the same peer counts once")
        peers.insert(device(256), isOwnDial: false, at: .start)
        #expect([0, 1, 256].map { isThere(peers, $0) } == [false, true, true])
    }
}
