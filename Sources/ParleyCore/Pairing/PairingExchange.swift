/// The exchange of a pairing, as one side sees it: commit, reveal, confirm, invite.
///
/// Both sides do the same. A side sends `commit` when its person wants to pair, and `reveal` once
/// both sides are committed. `confirm` follows when the person says that the digits are the same,
/// and `invite`, if there is any, once both people have confirmed. Neither side can choose a nonce
/// after seeing the other, so somebody in the middle has one guess out of a million.
package struct PairingExchange: Sendable {
    /// How far a pairing has come, for people.
    package enum State: Sendable, Equatable {
        /// The other side wants to pair, and nobody here has answered.
        case asked(offers: PairingOffer.Kind)
        /// This side wants to pair, and the other one has not answered.
        case waiting
        /// Both people compare the digits; `isConfirmed` says whether the person here has
        /// confirmed.
        case comparing(PairingDigits, isConfirmed: Bool)
        /// Both people have confirmed, and all that was offered is here.
        case done(PairingOffer)
        /// Neither side has an invite.
        case nothingOffered
        /// Only one of the people has called both devices the own ones.
        case ownedByOne
    }

    /// The nonce to which this side is committed, and the offer.
    private struct Own: Sendable {
        let nonce: Bytes32
        let commitment: Bytes32
        let offer: PairingOffer
    }

    private struct Peer: Sendable {
        let commitment: Bytes32
        let offers: PairingOffer.Kind
    }

    private let device: DeviceID
    private var own: Own?
    private var peer: Peer?
    private var digits: PairingDigits?
    private var isConfirmed = false
    private var isConfirmedByPeer = false
    /// The gift of the other side.
    private var gift: Slice?

    /// An exchange of the device of this node.
    package init(of device: DeviceID) {
        self.device = device
    }

    /// Whether a person here has asked for the pairing, or agreed.
    package var isWanted: Bool { own != nil }

    /// Whether the person here says that both devices are the same person's.
    package var isOwn: Bool { own?.offer.kind == .own }

    /// Whether one of the people says that both devices are the same person's.
    package var isForOwn: Bool { isOwn || peer?.offers == .own }

    /// Whether the other side is committed.
    package var isPeerCommitted: Bool { peer != nil }

    package var state: State {
        guard let own else { return .asked(offers: peer?.offers ?? .nothing) }
        guard let peer else { return .waiting }
        guard (peer.offers == .own) == isOwn else { return .ownedByOne }
        guard peer.offers != .nothing || own.offer != .nothing else { return .nothingOffered }
        guard let digits else { return .waiting }
        guard isConfirmed, isConfirmedByPeer, let given = given(peer.offers) else {
            return .comparing(digits, isConfirmed: isConfirmed)
        }
        return .done(given)
    }

    /// The gift of the other side; nil until complete.
    private func given(_ kind: PairingOffer.Kind) -> PairingOffer? {
        switch kind {
        case .nothing: .nothing
        case .invite: gift.map { .invite($0) }
        case .own: gift.map { .own($0) }
        }
    }

    // MARK: The person here

    /// The person wants to pair; `offer` is what the other side gets.
    ///
    /// - Returns: the frames to send.
    package mutating func agree(
        nonce: Bytes32,
        offer: PairingOffer,
        using crypto: some Cryptography
    ) -> [PairingFrame] {
        guard own == nil else { return [] }
        let commitment = PairingDigits.commitment(of: device, to: nonce, using: crypto)
        own = Own(nonce: nonce, commitment: commitment, offer: offer)
        return commitFrames + revealFrames
    }

    /// The person says that both screens show the same digits.
    ///
    /// - Returns: the frames to send.
    package mutating func confirm() -> [PairingFrame] {
        guard digits != nil, !isConfirmed else { return [] }
        isConfirmed = true
        return [.confirm] + offerFrames
    }

    /// The `commit` of this side, once its person wants to pair.
    package var commitFrames: [PairingFrame] {
        own.map { [.commit($0.commitment, $0.offer.kind)] } ?? []
    }

    // MARK: The other side

    /// The other side commits itself to a nonce.
    ///
    /// - Returns: the frames to send.
    package mutating func committed(_ commitment: Bytes32, offers: PairingOffer.Kind)
        -> [PairingFrame]
    {
        guard peer == nil else { return [] }
        peer = Peer(commitment: commitment, offers: offers)
        return revealFrames
    }

    /// The other side tells its nonce.
    ///
    /// A frame that comes too early or twice is left over from an earlier pairing.
    ///
    /// - Throws: `contradictory` if the nonce does not match the commitment of `peer`.
    package mutating func revealed(
        _ nonce: Bytes32,
        by device: DeviceID,
        using crypto: some Cryptography
    ) throws(Refusal) {
        guard let own, let peer, digits == nil else { return }
        let commitment = PairingDigits.commitment(of: device, to: nonce, using: crypto)
        guard commitment == peer.commitment else {
            throw .contradictory("a nonce of a pairing that its sender was not bound to")
        }
        digits = PairingDigits((self.device, own.nonce), (device, nonce), using: crypto)
    }

    /// The person of the other side has confirmed.
    ///
    /// - Returns: the frames to send.
    package mutating func confirmedByPeer() -> [PairingFrame] {
        guard digits != nil, !isConfirmedByPeer else { return [] }
        isConfirmedByPeer = true
        return offerFrames
    }

    /// The text of an invite, or the secret of a person, came; it counts only after both people
    /// have confirmed.
    package mutating func given(_ gift: Slice, of kind: PairingOffer.Kind) {
        guard isConfirmed, isConfirmedByPeer, peer?.offers == kind, self.gift == nil else { return }
        self.gift = gift
    }

    // MARK: Frames

    /// The nonce, to be sent once, when the second of the two commitments is made.
    private var revealFrames: [PairingFrame] {
        guard let own, peer != nil, state == .waiting else { return [] }
        return [.reveal(own.nonce)]
    }

    /// The gift of this side.
    private var offerFrames: [PairingFrame] {
        guard isConfirmed, isConfirmedByPeer, let offer = own?.offer else { return [] }
        return switch offer {
        case .nothing: []
        case .invite(let text): [.invite(text)]
        case .own(let person): [.person(person)]
        }
    }
}
