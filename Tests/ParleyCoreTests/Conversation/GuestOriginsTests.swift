import ParleyCore
import ParleyFaults
import Testing

/// Origins of guests, which a certified device certifies.
@Suite struct GuestOriginsTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)

    @Test func aGuestCountsForItsHostAndWritesByItself() throws {
        let guest = ada.guest(9, at: 64)
        var sample = SampleConversation()
        let origin = try #require(
            try sample.conversation.introduced(guest.record, using: sample.crypto)
        )
        #expect(origin.id == guest.origin)
        #expect(origin.state.device == ada.device)
        let author = AuthorView(
            device: guest.device,
            participant: guest.participant,
            host: ada.device
        )
        #expect(origin.state.author == author)
        sample.conversation.add(origin)
        let envelope = try guest.writes("s")
        let head = sample.head(envelope)
        try sample.conversation.prove(head, by: envelope.proof, using: sample.crypto)
        let byHost = EnvelopeProof.single(ada.crypto.sign(head.digest.bytes.span.bytes))
        #expect(throws: ParleyCore.Refusal.badProof) {
            try sample.conversation.prove(head, by: byHost, using: sample.crypto)
        }
        #expect(sample.merge(envelope).result == .changed)
        #expect(sample.conversation.author(of: guest.origin) == author)
        #expect(!sample.conversation.isOwn(guest.origin))
    }

    // MARK: Certificates

    /// What is wrong with the certificates of a guest at seat 1 of Ada's.
    enum Forgery: CaseIterable, Sendable {
        case hostOfAnotherConversation, hostCertifiesItself
        case seat, conversation, guest, anotherHost, writeKey, asDevice
    }

    @Test(arguments: Forgery.allCases)
    func wrongCertificatesAreRefused(_ forgery: Forgery) throws {
        let guest = ada.guest(9)
        let sample = SampleConversation()
        #expect(throws: Never.self) {
            try sample.conversation.introduced(guest.record, using: sample.crypto)
        }
        let record = try forged(guest, forgery)
        #expect(throws: ParleyCore.Refusal.badCertificate) {
            try sample.conversation.introduced(record, using: sample.crypto)
        }
    }

    private func forged(_ guest: SimulatedAuthor, _ forgery: Forgery) throws -> OriginRecord {
        let host = try #require(guest.record.host)
        let (seat, id) = (host.seat, guest.table.id)
        let other = SimulatedConversation(2)
        var hostCertificate = host.certificate
        var signer = ada.crypto
        var signed = guest.device.certifiedBytes(asGuestAt: seat, in: id)
        switch forgery {
        case .hostOfAnotherConversation: hostCertificate = other.certificate(of: ada.device)
        case .hostCertifiesItself:
            hostCertificate = ada.crypto.sign(ada.device.certifiedBytes.span.bytes)
        case .seat:
            let second = try #require(SeatNumber(2))
            signed = guest.device.certifiedBytes(asGuestAt: second, in: id)
        case .conversation:
            signed = guest.device.certifiedBytes(asGuestAt: seat, in: other.id)
        case .guest: signed = ben.device.certifiedBytes(asGuestAt: seat, in: id)
        case .anotherHost: signer = ben.crypto
        case .writeKey: signer = SimulatedCryptography(seed: 1_000_001)
        case .asDevice: signed = guest.device.certifiedBytes
        }
        return OriginRecord(
            deviceKey: guest.crypto.devicePublicKey,
            epoch: guest.epoch,
            certificate: signer.sign(signed.span.bytes),
            host: OriginHost(
                deviceKey: host.deviceKey,
                certificate: hostCertificate,
                seat: seat
            )
        )
    }

    @Test func aGuestHasNoGuests() throws {
        let guest = ada.guest(9)
        let sample = SampleConversation()
        let second = guest.guest(10)
        let host = try #require(second.record.host)
        let record = OriginRecord(
            deviceKey: second.crypto.devicePublicKey,
            epoch: second.epoch,
            certificate: second.record.certificate,
            host: OriginHost(
                deviceKey: host.deviceKey,
                certificate: guest.record.certificate,
                seat: host.seat
            )
        )
        #expect(throws: ParleyCore.Refusal.badCertificate) {
            try sample.conversation.introduced(record, using: sample.crypto)
        }
    }

    /// Who has the write key may certify any key, and then it is a device like any other.
    @Test func aKeyThatTheWriteKeyCertifiedIsADevice() throws {
        let guest = ada.guest(9)
        var device = guest
        device.host = nil
        let sample = SampleConversation()
        let origin = try #require(
            try sample.conversation.introduced(device.record, using: sample.crypto)
        )
        #expect(origin.id == device.origin)
        #expect(origin.id != guest.origin)
        #expect(origin.state.device == device.device)
        #expect(origin.state.author.host == nil)
    }

    // MARK: Claims

    /// Regression: whoever introduced a device first as a guest of its own had its messages count
    /// for itself, and could use up the share that they were kept in.
    @Test func nobodyMakesAnotherDeviceAGuest() throws {
        var claimed = ada
        claimed.host = SeatNumber(1).map { (ben.crypto, $0) }
        var sample = SampleConversation()
        sample.introduce(claimed)
        sample.introduce(ada)
        let envelope = try ada.writes("s")
        let head = sample.head(envelope)
        try sample.conversation.prove(head, by: envelope.proof, using: sample.crypto)
        #expect(sample.merge(envelope).result == .changed)
        #expect(sample.conversation.author(of: ada.origin)?.host == nil)
        #expect(sample.conversation.kept(of: ada.device).heads == 1)
        #expect(sample.conversation.kept(of: ben.device) == KeptAmount())
    }

    @Test func aKeyHasAnOriginForEachHostAndSeat() {
        let origins = [ada.guest(9, at: 1), ada.guest(9, at: 2), ben.guest(9, at: 1)].map(\.origin)
        #expect(Set(origins).count == 3)
    }

    // MARK: Quotas

    /// Guests cost their host nothing to invent, so they share what it may fill.
    @Test func aThousandGuestsHaveTheShareOfOneDevice() throws {
        var limits = Limits()
        limits.quota.device = KeptAmount(heads: 20, bytes: 1 << 20, origins: 7)
        var sample = SampleConversation(limits: limits)
        var taken = 0
        for number in 0..<1_000 {
            let guest = ada.guest(UInt64(100 + number), at: 1 + number % 64)
            sample.introduce(guest)
            for sequence in 1...4 {
                let envelope = try guest.writes("s\(number) \(sequence)", UInt64(sequence))
                if sample.merge(envelope).result == .changed { taken += 1 }
            }
        }
        #expect(taken == 20)
        let kept = sample.conversation.kept(of: ada.device)
        #expect(kept.heads == 20)
        #expect(kept.origins == 5)
        // So does the host itself, and nobody else.
        sample.introduce(ada)
        sample.introduce(ben)
        #expect(sample.merge(try ada.writes("ada")).result == .held)
        #expect(sample.merge(try ben.writes("ben")).result == .changed)
    }
}
