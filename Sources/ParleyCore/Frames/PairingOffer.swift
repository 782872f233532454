/// The gift of one side of a pairing to the other, once both people have confirmed.
package enum PairingOffer: Sendable, Equatable {
    case nothing
    /// The text of an invite.
    case invite(Slice)
    /// Both devices are of one person: the secret of the person.
    case own(Slice)

    package enum Kind: Sendable, Equatable {
        case nothing, invite, own
    }

    package var kind: Kind {
        switch self {
        case .nothing: .nothing
        case .invite: .invite
        case .own: .own
        }
    }
}
