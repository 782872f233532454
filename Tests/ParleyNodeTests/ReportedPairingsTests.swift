import ParleyNode
import Testing

/// The pairings that people see: none twice, and those that ended lately.
@Suite struct ReportedPairingsTests {
    private func pairing(_ id: Int, _ stage: PairingState.Stage = .waiting) -> PairingState {
        PairingState(id: "\(id)", device: "AAAA", name: nil, stage: stage)
    }

    @Test func aPairingIsListedUntilItIsForgotten() {
        var pairings = ReportedPairings()
        let (waiting, ended) = (pairing(1), pairing(1, .ended(.timedOut)))
        #expect([pairings.changed(waiting, isUnderWay: true)] == [true])
        #expect(pairings.all(with: [waiting]) == [waiting])
        // The machine is done, and the conversation is not on disk yet.
        #expect(pairings.all(with: []) == [waiting])
        #expect([pairings.changed(ended, isUnderWay: false)] == [true])
        #expect(pairings.all(with: []) == [ended])
        // The device pairs again.
        #expect(pairings.all(with: [waiting]) == [waiting])
        pairings.forget("1")
        #expect(pairings.all(with: []).isEmpty)
    }

    @Test func anEndIsNoNewsOnceTheNextPairingHasBegun() {
        var pairings = ReportedPairings()
        let (waiting, ended) = (pairing(1), pairing(1, .ended(.done(joined: "chess"))))
        #expect([pairings.changed(waiting, isUnderWay: true)] == [true])
        #expect([pairings.changed(ended, isUnderWay: true)] == [false])
        #expect(pairings.all(with: [waiting]) == [waiting])
    }

    @Test func onlyTheLastThatEndedAreListed() {
        var pairings = ReportedPairings()
        for id in 0...ReportedPairings.endedMax {
            _ = pairings.changed(pairing(id, .ended(.cancelled)), isUnderWay: false)
        }
        let listed = pairings.all(with: []).map(\.id)
        #expect(listed == (1...ReportedPairings.endedMax).map(String.init))
    }
}
