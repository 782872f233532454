/// A step of pairing: two devices whose people compare digits, and pass an invite; or what devices
/// of one person share later.
///
/// On the wire each is a step (key 1) and a payload (key 3).
package enum PairingFrame: Sendable, Equatable {
    /// The commitment to a secret nonce, and what the sender will give.
    case commit(Bytes32, PairingOffer.Kind)
    /// The nonce; sent once both sides are committed.
    case reveal(Bytes32)
    /// The person of the sender says that the digits are the same.
    case confirm
    /// The text of an invite, 1 to `Limits.pairingBytes`; sent once both people have confirmed.
    case invite(Slice)
    /// The secret of the person, `Limits.personSecretBytes`, for an own device.
    case person(Slice)
    case cancel(PairingCancellation)
    /// The text of an invite for a linked device, 1 to `Limits.pairingBytes`, at any time.
    case share(Slice)
    /// The sender needs no invite to a conversation, which is there or was left.
    case taken(ConversationID)

    package enum StepNumber: UInt64, Sendable, CaseIterable {
        case commit = 1
        case reveal = 2
        case confirm = 3
        case invite = 4
        case cancel = 5
        case person = 6
        case share = 7
        case taken = 8
    }

    package var step: StepNumber {
        switch self {
        case .commit: .commit
        case .reveal: .reveal
        case .confirm: .confirm
        case .invite: .invite
        case .person: .person
        case .cancel: .cancel
        case .share: .share
        case .taken: .taken
        }
    }

    /// The bytes under key 3.
    package var payload: Slice {
        switch self {
        case .commit(let bytes, _), .reveal(let bytes): Slice(bytes.bytes)
        case .confirm: .empty
        case .invite(let text), .share(let text): text
        case .person(let secret): secret
        case .taken(let conversation): Slice(conversation.bytes)
        case .cancel(let reason): Slice([reason.rawValue])
        }
    }
}

/// Why a side ends a pairing; an unknown number reads as `other`.
package enum PairingCancellation: UInt8, Sendable, CaseIterable {
    case other = 0
    /// The person does not want to pair, or the digits differ.
    case declined = 1
    /// The node has as many requests as it shows at a time.
    case busy = 2
    /// The device has tried too often.
    case tooManyTries = 3
    /// Nobody answered in time.
    case timedOut = 4
}
