import ParleyCore
import ParleyFaults
import Testing

/// Who let whom in, as members tell one another.
@Suite struct AdmissionTests {
    private let table = SimulatedConversation(1)

    private func admission(by inviter: UInt64, _ number: UInt32, of device: UInt64 = 50)
        -> Admission
    {
        admission(by: inviter, number, of: DeviceID(Bytes32(device, 0, 0, 0)), in: table)
    }

    private func admission(
        by inviter: UInt64,
        _ number: UInt32,
        of device: DeviceID,
        in table: SimulatedConversation
    ) -> Admission {
        let crypto = SimulatedCryptography(seed: inviter)
        let signed = Admission.signedBytes(
            for: device,
            as: .writer,
            number: number,
            in: table.id
        )
        return Admission(
            inviterKey: crypto.devicePublicKey,
            device: device,
            role: .writer,
            number: number,
            signature: crypto.sign(signed.span.bytes)
        )
    }

    private func known(_ puppet: Puppet) -> [Admission] {
        puppet.machine.members[puppet.machine.conversations[0].number].all
    }

    private func send(_ admissions: [Admission], sum: UInt64? = nil, _ puppet: inout Puppet) {
        puppet.send(
            .members(
                MembersFrame(
                    conversation: 0,
                    records: admissions.map { .admission($0) },
                    sum: sum
                )
            )
        )
    }

    private func answers(_ puppet: Puppet) -> [MembersFrame] {
        puppet.frames.compactMap { if case .members(let frame) = $0 { frame } else { nil } }
    }

    @Test func theLowerNumberCountsInAnyOrder() {
        for order in [[1, 2], [2, 1]] as [[UInt32]] {
            var puppet = Puppet()
            puppet.meetAndSync()
            for number in order { send([admission(by: 90, number)], &puppet) }
            #expect(known(puppet).map(\.number) == [1])
        }
    }

    @Test func aWrongSignatureEndsTheLink() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let good = admission(by: 90, 1)
        let forged = Admission(
            inviterKey: good.inviterKey,
            device: good.device,
            role: .reader,
            number: 1,
            signature: good.signature
        )
        send([forged], &puppet)
        #expect(puppet.refusals == [.badProof])
        #expect(known(puppet).isEmpty)
    }

    @Test func aLinkBringsFewAdmissionsOfUnknownInviters() {
        var puppet = Puppet()
        puppet.meetAndSync()
        for first in stride(from: 0, to: 128, by: 32) as StrideTo<UInt64> {
            send((first..<first + 32).map { admission(by: 90, 1, of: 100 + $0) }, &puppet)
        }
        #expect(known(puppet).count == Limits.admissionsPerLink)
        #expect(puppet.refusals.isEmpty)
    }

    /// Regression: a newcomer knows no origins yet, and lost what its only peer said of itself.
    @Test func aPeerSpeaksForItself() {
        var puppet = Puppet()
        puppet.meetAndSync()
        for first in stride(from: 0, to: 128, by: 32) as StrideTo<UInt64> {
            let numbers = first..<first + 32
            send(numbers.map { admission(by: 2, UInt32($0 + 1), of: 100 + $0) }, &puppet)
        }
        #expect(known(puppet).count == 128)
    }

    /// Regression: ever lower numbers of one inviter were written and passed on without end.
    @Test func fewAdmissionsReplaceOthers() {
        var puppet = Puppet()
        puppet.meetAndSync()
        for number in (1...200).reversed() { send([admission(by: 2, UInt32(number))], &puppet) }
        #expect(known(puppet).map(\.number) == [UInt32(200 - Limits.admissionsPerLink)])
        #expect(puppet.refusals.isEmpty)
    }

    /// Regression: an admission by anybody kept its device from asking for one that counts.
    @Test(arguments: [false, true]) func anAdmissionByAStrangerIsNone(isByCreator: Bool) {
        let creator: UInt64 = isByCreator ? 90 : 91
        var puppet = Puppet(
            table: SimulatedConversation(
                1,
                creator: SimulatedCryptography(seed: creator).devicePublicKey
            )
        )
        puppet.meetAndSync()
        let admission = admission(by: 90, 1, of: puppet.nodeDevice, in: puppet.table)
        send([admission], &puppet)
        #expect(known(puppet) == [admission])
        puppet.handle(.linkClosed(puppet.link, "lost"))
        let before = answers(puppet).count
        puppet.meetAndSync()
        let asks = answers(puppet).dropFirst(before).contains(where: \.asksForAdmission)
        #expect(asks != isByCreator)
    }

    @Test func anotherSumIsAnsweredWithAllOnce() {
        var puppet = Puppet()
        puppet.meetAndSync()
        send([admission(by: 90, 1)], &puppet)
        let before = answers(puppet).count
        for _ in 0..<3 { send([], sum: 77, &puppet) }
        let new = answers(puppet).dropFirst(before)
        #expect(new.count == 1)
        #expect(new.first?.records == known(puppet).map { .admission($0) })
    }
}
