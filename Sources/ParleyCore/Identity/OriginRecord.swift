/// The device or guest behind an origin, committed with the first envelope of the origin.
package struct OriginRecord: Sendable, Equatable {
    /// The raw Ed25519 public key of the device or guest.
    package let deviceKey: Bytes32
    package let epoch: Epoch
    /// W's signature over `DeviceID.certifiedBytes`; of a guest, the host's signature over
    /// `DeviceID.certifiedBytes(asGuestAt:in:)`.
    package let certificate: Signature
    /// The device that has the guest; nil for a device that writes by itself.
    package let host: OriginHost?
    /// The tag of the generation whose W certified the device, or the host of the guest; nil for
    /// the birth generation.
    package let generation: UInt64?

    package init(
        deviceKey: Bytes32,
        epoch: Epoch,
        certificate: Signature,
        host: OriginHost? = nil,
        generation: UInt64? = nil
    ) {
        self.deviceKey = deviceKey
        self.epoch = epoch
        self.certificate = certificate
        self.host = host
        self.generation = generation
    }

    /// The tag of the generation as eight bytes.
    package var packedGeneration: [UInt8]? {
        generation.map { tag in
            var bytes: [UInt8] = []
            bytes.appendBigEndian(tag)
            return bytes
        }
    }

    /// The ID of the device or guest.
    func device(using crypto: some Cryptography) -> DeviceID {
        guard let host else { return DeviceID(publicKey: deviceKey, using: crypto) }
        return DeviceID(
            guestKey: deviceKey,
            at: host.seat,
            of: host.device(using: crypto),
            using: crypto
        )
    }

    /// Whether the certificates of the record hold in a conversation.
    func isCertified(
        as device: DeviceID,
        in conversation: ConversationID,
        by writeKey: Bytes32,
        using crypto: some Cryptography
    ) -> Bool {
        guard let host else {
            return crypto.verify(certificate, of: device.certifiedBytes.span.bytes, by: writeKey)
        }
        let guest = device.certifiedBytes(asGuestAt: host.seat, in: conversation)
        return crypto.verify(certificate, of: guest.span.bytes, by: host.deviceKey)
            && crypto.verify(
                host.certificate,
                of: host.device(using: crypto).certifiedBytes.span.bytes,
                by: writeKey
            )
    }
}

/// The device on which a guest writes, and which certified the guest.
package struct OriginHost: Sendable, Equatable {
    /// The raw Ed25519 public key of the device.
    package let deviceKey: Bytes32
    /// W's signature over the device.
    package let certificate: Signature
    /// The guest's seat at the device.
    package let seat: SeatNumber

    package init(deviceKey: Bytes32, certificate: Signature, seat: SeatNumber) {
        self.deviceKey = deviceKey
        self.certificate = certificate
        self.seat = seat
    }

    func device(using crypto: some Cryptography) -> DeviceID {
        DeviceID(publicKey: deviceKey, using: crypto)
    }
}

extension DeviceID {
    /// The identity of a guest: SHA-256("parley guest device 1" ‖ the host's device ID ‖ u8 seat ‖
    /// the guest's raw Ed25519 public key).
    ///
    /// The host is a part of it, so no host can claim a device, or a guest of another host, as its
    /// own guest.
    package init(
        guestKey: Bytes32,
        at seat: SeatNumber,
        of host: DeviceID,
        using cryptography: some Cryptography
    ) {
        var bytes = Array("parley guest device 1".utf8)
        host.append(to: &bytes)
        bytes.append(seat.value)
        guestKey.append(to: &bytes)
        self.init(cryptography.sha256(bytes))
    }

    /// The bytes that a host signs to let a guest write: "parley guest 1" ‖ conversation ID ‖ the
    /// guest's device ID ‖ u8 seat.
    package func certifiedBytes(
        asGuestAt seat: SeatNumber,
        in conversation: ConversationID
    ) -> [UInt8] {
        Array("parley guest 1".utf8) + conversation.bytes + bytes + [seat.value]
    }
}

extension OriginHost {
    /// The length of a packed host: `32 device key · 64 certificate · u8 seat`.
    package static let packedBytes = Bytes32.count + Signature.count + 1

    /// Nil unless the bytes are a packed host.
    package init?(packed bytes: Slice) {
        guard bytes.count == Self.packedBytes,
            let seat = SeatNumber(bytes[Self.packedBytes - 1])
        else { return nil }
        deviceKey = Bytes32(reading: bytes, at: 0)
        certificate = Signature(reading: bytes, at: Bytes32.count)
        self.seat = seat
    }

    package var packed: [UInt8] { deviceKey.bytes + certificate.bytes + [seat.value] }
}
