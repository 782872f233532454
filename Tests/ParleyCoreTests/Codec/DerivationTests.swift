import ParleyCore
import ParleyFaults
import Testing

/// Names that are hashes are made from exactly the bytes that the protocol says.
@Suite struct DerivationTests {
    private let cryptography = SimulatedCryptography(seed: 1)
    private let conversation = ConversationID(Bytes32(1, 2, 3, 4))
    private let device = DeviceID(Bytes32(5, 6, 7, 8))

    @Test func devicesAreNamedByTheirKeyInfo() {
        let key = Bytes32(1, 1, 1, 1)
        let keyInfo = (Hexadecimal.bytes("302a300506032b6570032100") ?? []) + key.bytes
        #expect(
            DeviceID(publicKey: key, using: cryptography).value == cryptography.sha256(keyInfo)
        )
    }

    @Test func certificatesNameTheDevice() {
        #expect(device.certifiedBytes == Array("parley device 1".utf8) + device.bytes)
    }

    @Test func conversationsAreNamedByTheirBirth() {
        let (key, creator) = (Bytes32(2, 2, 2, 2), Bytes32(3, 3, 3, 3))
        let id = Birth(publicWriteKey: key, creator: nil).conversationID(using: cryptography)
        #expect(id.value == cryptography.sha256(key.bytes))
        let created = Birth(publicWriteKey: key, creator: creator)
            .conversationID(using: cryptography)
        let bytes = Array("parley birth 1".utf8) + key.bytes + creator.bytes
        #expect(created.value == cryptography.sha256(bytes))
    }

    @Test func originsAreNamedByConversationDeviceAndEpoch() {
        let origin = OriginID(
            conversation: conversation,
            device: device,
            epoch: Epoch(0x0102_0304_0506_0708),
            using: cryptography
        )
        let hashed = conversation.bytes + device.bytes + [1, 2, 3, 4, 5, 6, 7, 8]
        #expect(origin.value == cryptography.sha256(hashed).prefix16)
    }

    /// The ID of a guest says whose guest it is, at which seat.
    @Test func guestsAreNamedByTheHostToo() throws {
        let key = Bytes32(3, 3, 3, 3)
        let seat = try #require(SeatNumber(64))
        let guest = DeviceID(guestKey: key, at: seat, of: device, using: cryptography)
        let hashed = Array("parley guest device 1".utf8) + device.bytes + [64] + key.bytes
        #expect(guest.value == cryptography.sha256(hashed))
        #expect(guest != DeviceID(publicKey: key, using: cryptography))
    }

    @Test func guestsAreCertifiedInAConversationAndAtASeat() throws {
        let seat = try #require(SeatNumber(7))
        #expect(
            device.certifiedBytes(asGuestAt: seat, in: conversation)
                == Array("parley guest 1".utf8) + conversation.bytes + device.bytes + [7]
        )
    }

    @Test(arguments: [-1, 0, 1, 64, 65, 257])
    func seatsAreNumberedTo64(_ number: Int) {
        #expect((SeatNumber(number) != nil) == (1...64).contains(number))
    }

    @Test func participantsAreUUIDsOfVersion8() {
        for number in 0..<UInt64(100) {
            let device = DeviceID(Bytes32(number, 0, 0, 0))
            let participant = ParticipantID(
                conversation: conversation,
                device: device,
                using: cryptography
            )
            var hashed = Array("parley participant".utf8)
            hashed += conversation.bytes + device.bytes
            var expected = Array(cryptography.sha256(hashed).bytes[..<16])
            expected[6] = expected[6] & 0x0f | 0x80
            expected[8] = expected[8] & 0x3f | 0x80
            #expect(participant.bytes == expected)
        }
    }
}
