/// A knock at the node whose invite ends, or the answer.
///
/// On the wire each is a step (key 1), the number of the invite (key 3) and a payload (key 5).
package enum KnockFrame: Sendable, Equatable {
    /// The proof that the sender has the token of the invite, on this link and for its device.
    case knock(invite: UInt32, proof: Bytes32)
    /// The text of an invite with the keys, 1 to `Limits.pairingBytes`.
    case letIn(invite: UInt32, Slice)
    case refused(invite: UInt32, KnockRefusal)

    package enum StepNumber: UInt64, Sendable, CaseIterable {
        case knock = 1
        case letIn = 2
        case refused = 3

        /// The permitted lengths of the payload, in bytes.
        package var lengths: ClosedRange<Int> {
            switch self {
            case .knock: Bytes32.count...Bytes32.count
            case .letIn: 1...Limits.pairingBytes
            case .refused: 1...1
            }
        }
    }

    /// The number of the invite.
    package var invite: UInt32 {
        switch self {
        case .knock(let invite, _), .letIn(let invite, _), .refused(let invite, _): invite
        }
    }

    /// The proof of a knock: HMAC(token, "parley knock 1" ‖ exporter ‖ device ID).
    ///
    /// The exporter binds the proof to the link, and the ID to the device that knocks.
    package static func proof(
        of token: Bytes16,
        on exporter: Bytes32,
        by device: DeviceID,
        using crypto: some Cryptography
    ) -> Bytes32 {
        var message = Array("parley knock 1".utf8)
        exporter.append(to: &message)
        device.append(to: &message)
        // HMAC fills short keys up with zeros.
        return crypto.hmac(message.span.bytes, key: Bytes32(token.words.0, token.words.1, 0, 0))
    }
}

/// Why a knock is in vain; an unknown number reads as `unknown`.
package enum KnockRefusal: UInt8, Sendable, CaseIterable {
    /// The node has no such invite, or the proof is not that of its token.
    case unknown = 0
    /// The time of the invite is over.
    case ended = 1
    /// As many devices came by the invite as may.
    case usedUp = 2
    case revoked = 3
    /// Too many wrong knocks came from the address in the last minute.
    case later = 4
}
