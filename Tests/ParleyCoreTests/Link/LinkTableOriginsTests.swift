import ParleyCore
import ParleyFaults
import Testing

/// The origins that peers introduce, and how many one of them may.
@Suite struct LinkTableOriginsTests {
    private let ada = SimulatedAuthor(writer: 2)

    @Test func anOriginThatAPeerIntroducesIsKnown() throws {
        var sample = SampleTable([1, 2])
        var table = LinkTable([Link(1), Link(2)])
        for _ in 0..<2 { try table.introduce(ada.record, on: 1, in: &sample) }
        #expect(sample.table[0].origins[ada.origin]?.device == ada.device)
        #expect(sample.table[1].origins[ada.origin] == nil)
        #expect(table.map { Set($0.introduced.map(\.id)) } == [[], [ada.origin]])
        #expect(table[1].introduced.allSatisfy { $0.conversation == 1 })
    }

    @Test func anOriginWithAnEnvelopeDoesNotCountAgainstTheLink() throws {
        var sample = SampleTable([1], writers: [ada])
        var table = LinkTable([Link(1)])
        try table.introduce(ada.record, on: 0, in: &sample)
        #expect(table[0].introduced.isEmpty)
    }

    @Test func aForeignCertificateIsRefused() {
        var sample = SampleTable([1])
        var table = LinkTable([Link(1)])
        let forged = OriginRecord(
            deviceKey: ada.crypto.devicePublicKey,
            epoch: ada.epoch,
            certificate: SimulatedConversation(2).certificate(of: ada.device)
        )
        #expect(throws: ParleyCore.Refusal.badCertificate) {
            try table.introduce(forged, on: 0, in: &sample)
        }
        #expect(sample.table[0].origins[ada.origin] == nil)
    }

    @Test func originsWithoutAnEnvelopeHaveALimit() throws {
        var sample = SampleTable([1])
        var table = LinkTable([Link(1), Link(2)])
        for _ in 0..<4_096 { try table.introduce(ada.record, on: 0, in: &sample) }
        let ben = SimulatedAuthor(writer: 3)
        #expect(throws: ParleyCore.Refusal.overLimit("origins without an envelope")) {
            try table.introduce(ben.record, on: 0, in: &sample)
        }
        #expect(sample.table[0].origins[ben.origin] == nil)
        try table.introduce(ben.record, on: 1, in: &sample)
        #expect(sample.table[0].origins[ben.origin] != nil)
    }
}

extension LinkTable {
    /// The peer of a link introduces an origin of the first conversation.
    fileprivate mutating func introduce(
        _ record: OriginRecord,
        on index: Int,
        in sample: inout SampleTable
    ) throws(ParleyCore.Refusal) {
        try all.originReceived(
            record,
            of: 0,
            on: index,
            in: &sample.table,
            using: sample.crypto
        )
    }
}
