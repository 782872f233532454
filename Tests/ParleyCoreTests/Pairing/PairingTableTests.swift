import ParleyCore
import ParleyFaults
import Testing

/// The pairings of a node: tries, requests, links and deadlines.
@Suite struct PairingTableTests {
    private static let crypto = SimulatedCryptography(seed: 1)
    private let now = Moment.start + .seconds(1_000)
    private let offer = Slice([7])

    private var table = PairingTable(of: DeviceID(seed: 1))

    private func nonce(_ number: UInt64) -> Bytes32 { Bytes32(number, 0, 0, 0) }

    private func commit(
        _ device: UInt64,
        _ number: UInt64,
        offers: PairingOffer.Kind = .invite
    ) -> PairingFrame {
        let id = DeviceID(seed: device)
        let bytes = PairingDigits.commitment(of: id, to: nonce(number), using: Self.crypto)
        return .commit(bytes, offers)
    }

    private func receive(
        _ frame: PairingFrame,
        from device: UInt64,
        on link: UInt64 = 1,
        at moment: Moment? = nil,
        _ table: inout PairingTable
    ) -> PairingTable.Answer {
        table.received(
            frame,
            from: DeviceID(seed: device),
            on: LinkID(link),
            at: moment ?? now,
            using: Self.crypto
        )
    }

    private func start(
        _ device: UInt64,
        at moment: Moment? = nil,
        _ table: inout PairingTable
    ) -> PairingTable.Answer {
        table.start(
            DeviceID(seed: device).hint,
            nonce: nonce(99),
            offer: .invite(offer),
            at: moment ?? now,
            using: Self.crypto
        )
    }

    /// A pairing that a device asked for and the person here agreed to, with digits.
    private func compare(
        with device: UInt64,
        at moment: Moment? = nil,
        _ table: inout PairingTable
    ) -> PairingTable.Answer {
        _ = receive(commit(device, 5), from: device, at: moment, &table)
        _ = start(device, at: moment, &table)
        return receive(.reveal(nonce(5)), from: device, at: moment, &table)
    }

    private func stages(_ answer: PairingTable.Answer) -> [PairingNotice.Stage] {
        answer.notices.map(\.stage)
    }

    // MARK: Links

    @Test func aPairingBeginsWhenThereIsALink() {
        var table = table
        #expect(stages(start(2, &table)) == [.waiting])
        #expect(table.hintWithoutLink == DeviceID(seed: 2).hint)
        let other = table.linked(LinkID(3), to: DeviceID(seed: 3), features: Hello.pairing, at: now)
        #expect(other == PairingTable.Answer())
        let answer = table.linked(
            LinkID(4),
            to: DeviceID(seed: 2),
            features: Hello.pairing,
            at: now
        )
        #expect(answer.sends.map(\.link) == [LinkID(4)])
        #expect(answer.sends.map(\.frame.step) == [.commit])
        #expect(table.needs(LinkID(4)))
        #expect(!table.needs(LinkID(3)))
        #expect(table.hintWithoutLink == nil)
    }

    @Test func aLinkIsReplacedUntilTheOtherSideIsCommitted() {
        var table = table
        _ = start(2, &table)
        _ = table.linked(LinkID(4), to: DeviceID(seed: 2), features: Hello.pairing, at: now)
        #expect(table.linkClosed(LinkID(4)) == PairingTable.Answer())
        let again = table.linked(LinkID(5), to: DeviceID(seed: 2), features: Hello.pairing, at: now)
        #expect(again.sends.map(\.frame.step) == [.commit])
        _ = receive(commit(2, 5), from: 2, on: 5, &table)
        #expect(stages(table.linkClosed(LinkID(5))) == [.ended(.lost)])
        #expect(table.pairings.isEmpty)
    }

    @Test func anOlderNodeIsNotSentWhatItDoesNotKnow() {
        var table = table
        _ = start(2, &table)
        let answer = table.linked(LinkID(4), to: DeviceID(seed: 2), features: 0, at: now)
        #expect(answer.sends.isEmpty)
        #expect(stages(answer) == [.ended(.unsupported)])
    }

    @Test func framesGoOnTheLinkOfTheRequest() {
        var table = table
        let asked = receive(commit(2, 5), from: 2, on: 8, &table)
        #expect(asked.sends.isEmpty, "a stranger is told nothing before a person answers")
        #expect(stages(asked) == [.asked(offers: .invite)])
        let answer = start(2, &table)
        #expect(answer.sends.map(\.link) == [LinkID(8), LinkID(8)])
        #expect(answer.sends.map(\.frame.step) == [.commit, .reveal])
    }

    // MARK: Limits

    @Test func aDeviceHasThreeTriesInTenMinutes() {
        var table = table
        let hint = DeviceID(seed: 2).hint
        for number in 0..<3 {
            #expect(table.obstacle(to: hint, at: now) == nil, "try \(number)")
            _ = compare(with: 2, &table)
            _ = table.cancel(hint)
        }
        let until = now + .seconds(600)
        #expect(table.obstacle(to: hint, at: now) == .tooManyTries(until: until))
        #expect(start(2, &table) == PairingTable.Answer())
        let refused = receive(commit(2, 6), from: 2, &table)
        #expect(refused.notices.isEmpty)
        #expect(refused.sends.map(\.frame) == [.cancel(.tooManyTries)])
        #expect(table.obstacle(to: DeviceID(seed: 3).hint, at: now) == nil)
        #expect(table.obstacle(to: hint, at: until) == nil)
    }

    @Test func manyDevicesHaveTwelveTriesInTenMinutes() {
        var table = table
        for device in UInt64(2)..<14 {
            _ = compare(with: device, &table)
            _ = table.cancel(DeviceID(seed: device).hint)
        }
        let hint = DeviceID(seed: 50).hint
        #expect(table.obstacle(to: hint, at: now) == .tooManyTries(until: now + .seconds(600)))
    }

    @Test func aPairingThatIsDoneDoesNotCount() {
        var table = table
        let hint = DeviceID(seed: 2).hint
        for _ in 0..<5 {
            #expect(table.obstacle(to: hint, at: now) == nil)
            _ = compare(with: 2, &table)
            _ = table.confirm(hint, at: now)
            _ = receive(.confirm, from: 2, &table)
            let answer = receive(.invite(Slice([1])), from: 2, &table)
            #expect(stages(answer) == [.ended(.done(.invite(Slice([1]))))])
        }
    }

    @Test func fourRequestsAreShownAtATime() {
        var table = table
        for device in UInt64(2)..<6 {
            #expect(receive(commit(device, 5), from: device, &table).notices.count == 1)
        }
        let answer = receive(commit(9, 5), from: 9, &table)
        #expect(answer.notices.isEmpty)
        #expect(answer.sends.map(\.frame) == [.cancel(.busy)])
        #expect(table.pairings.count == PairingTable.requestsMax)
    }

    @Test func aDeviceThatAsksAgainAndAgainIsNotShown() {
        var table = table
        var shown = 0
        for number in UInt64(0)..<50 {
            shown += receive(commit(2, number), from: 2, &table).notices.count { notice in
                if case .asked = notice.stage { true } else { false }
            }
        }
        #expect(shown == 6)
    }

    @Test func onePersonComparesOneSetOfDigits() {
        var table = table
        _ = compare(with: 2, &table)
        let busy = PairingObstacle.busy(hint: DeviceID(seed: 2).hint, device: DeviceID(seed: 2))
        #expect(table.obstacle(to: DeviceID(seed: 3).hint, at: now) == busy)
        #expect(start(3, &table) == PairingTable.Answer())
        // A request of another device waits meanwhile.
        #expect(stages(receive(commit(3, 5), from: 3, on: 2, &table)) == [.asked(offers: .invite)])
    }

    // MARK: Time

    @Test func aPairingEndsAfterTwoMinutes() {
        var table = table
        _ = receive(commit(2, 5), from: 2, &table)
        #expect(table.deadline == now + Pairing.patience)
        #expect(table.meetDeadlines(at: now + .seconds(119)) == PairingTable.Answer())
        let answer = table.meetDeadlines(at: now + .seconds(120))
        #expect(stages(answer) == [.ended(.timedOut)])
        #expect(answer.sends.map(\.frame) == [.cancel(.timedOut)])
        #expect(table.deadline == nil)
    }

    @Test func peopleHaveTwoMinutesToCompare() {
        var table = table
        let later = now + .seconds(100)
        _ = receive(commit(2, 5), from: 2, &table)
        _ = start(2, &table)
        _ = receive(.reveal(nonce(5)), from: 2, at: later, &table)
        #expect(table.deadline == later + Pairing.patience)
    }

    // MARK: The other side

    @Test func aForgedNonceEndsThePairingAndTheLink() {
        var table = table
        _ = receive(commit(2, 5), from: 2, &table)
        _ = start(2, &table)
        let answer = receive(.reveal(nonce(6)), from: 2, &table)
        #expect(stages(answer) == [.ended(.forged)])
        #expect(answer.refusal != nil)
        #expect(table.pairings.isEmpty)
    }

    @Test func aSideThatStartsOverAsksAnew() {
        var table = table
        _ = compare(with: 2, &table)
        let answer = receive(commit(2, 8), from: 2, &table)
        #expect(stages(answer) == [.ended(.refused(.other)), .asked(offers: .invite)])
        #expect(table.pairings.count == 1)
    }

    @Test func whatIsLeftOverFromAnEarlierPairingIsNothing() {
        var table = table
        for frame in [.reveal(nonce(5)), .confirm, .invite(offer), .cancel(.declined)]
            as [PairingFrame]
        {
            #expect(receive(frame, from: 2, &table) == PairingTable.Answer())
        }
        _ = receive(commit(2, 5), from: 2, &table)
        let others = receive(.cancel(.declined), from: 3, &table)
        #expect(others == PairingTable.Answer(), "another device cannot end it")
        #expect(
            stages(receive(.cancel(.declined), from: 2, &table)) == [.ended(.refused(.declined))]
        )
    }

    @Test func thePersonEndsIt() {
        var table = table
        _ = compare(with: 2, &table)
        let answer = table.cancel(DeviceID(seed: 2).hint)
        #expect(answer.sends.map(\.frame) == [.cancel(.declined)])
        #expect(stages(answer) == [.ended(.cancelled)])
    }
}
