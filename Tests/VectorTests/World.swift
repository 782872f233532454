import ParleyCore
import ParleyKeys
import Testing

/// The devices, keys and names of which all vectors speak: those of the first entries of
/// `keys.json`.
struct World {
    let devices = [DeviceKey(seed: thirtyTwo(from: 0)), DeviceKey(seed: thirtyTwo(from: 0xe0))]
    let epochs = [Epoch(0x0123_4567_89ab_cdef), Epoch(0xfedc_ba98_7654_3210)]
    let capability = Capability(writerSeed: thirtyTwo(from: 0x20))
    let exporter = thirtyTwo(from: 0x80)
    let sessions = [0x40, 0x50, 0x60, 0x70].map { SessionUUID(sixteen(from: $0)) }

    var conversation: ConversationID { capability.conversationID }

    func crypto(_ device: Int) -> DeviceCryptography { DeviceCryptography(devices[device]) }

    func origin(_ device: Int) -> OriginID {
        OriginID(
            conversation: conversation,
            device: devices[device].id,
            epoch: epochs[device],
            using: crypto(device)
        )
    }

    func originRecord(_ device: Int) throws -> OriginRecord {
        OriginRecord(
            deviceKey: devices[device].publicKey,
            epoch: epochs[device],
            certificate: try capability.certify(devices[device].id)
        )
    }

    // MARK: The guest of the first device

    var guest: DeviceKey { DeviceKey(seed: thirtyTwo(from: 0xa0)) }

    /// The ID of the guest, who has seat 7.
    func guestID() throws -> DeviceID {
        DeviceID(
            guestKey: guest.publicKey,
            at: try #require(SeatNumber(7)),
            of: devices[0].id,
            using: crypto(0)
        )
    }

    func guestRecord() throws -> OriginRecord {
        let seat = try #require(SeatNumber(7))
        let signed = try guestID().certifiedBytes(asGuestAt: seat, in: conversation)
        return OriginRecord(
            deviceKey: guest.publicKey,
            epoch: epochs[0],
            certificate: crypto(0).sign(signed.span.bytes),
            host: OriginHost(
                deviceKey: devices[0].publicKey,
                certificate: try capability.certify(devices[0].id),
                seat: seat
            )
        )
    }

    // MARK: Names

    func participant(_ device: Int) -> ParticipantID {
        ParticipantID(
            conversation: conversation,
            device: devices[device].id,
            using: crypto(device)
        )
    }

    /// HKDF(K, label ‖ tail), as the specification says it.
    func derived(_ label: String, _ tail: [UInt8] = []) -> Bytes32 {
        let info = Array(label.utf8) + tail
        return crypto(0).deriveKey(from: capability.readKey ?? .zero, info: info.span.bytes)
    }

    func tag(_ session: SessionUUID) -> SessionTag {
        let key = derived("parley tag")
        return SessionTag(crypto(0).hmac(session.bytes.span.bytes, key: key).prefix16)
    }

    /// HMAC(R, exporter ‖ role ‖ conversation ID), 16 bytes.
    func membershipTag(role: UInt8) -> Bytes16 {
        let message = exporter.bytes + [role] + conversation.bytes
        return crypto(0).hmac(message.span.bytes, key: capability.relayKey).prefix16
    }

    /// A nonce whose bytes count up from `first`.
    func nonce(_ first: UInt8) -> SealNonce {
        let bytes = Slice(sixteen(from: first).bytes)
        return SealNonce(high: bytes.bigEndian(at: 0), low: bytes.bigEndian(at: 4))
    }
}
