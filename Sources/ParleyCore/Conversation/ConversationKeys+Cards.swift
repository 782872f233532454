/// The making and the check of cards.
extension ConversationKeys {
    /// A signed card of this device; nil without keys.
    package func card(
        number: UInt64,
        text: CardText,
        isLeaving: Bool,
        random: inout some RandomNumberGenerator,
        using crypto: some Cryptography
    ) -> Card? {
        let role = record.capability.role
        let device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
        guard generations.standing == .member, let key = cardKey(of: role) else { return nil }
        let code = role == .writer ? nil : roleCode(of: device, key, using: crypto).bytes
        guard let proof = code ?? record.certificate?.bytes else { return nil }
        let sealed = crypto.seal(
            text.packed.span.bytes,
            key: nameKey(of: device, key, using: crypto),
            nonce: SealNonce(using: &random),
            authenticating: [UInt8]().span.bytes
        )
        var card = Card(
            key: crypto.devicePublicKey,
            role: role,
            isLeaving: isLeaving,
            generation: role == .writer ? record.generation : generation,
            number: number,
            proof: Slice(proof),
            sealedText: Slice(sealed)
        )
        card.signature = crypto.sign(card.signedBytes(in: id).span.bytes)
        return card
    }

    /// Whether a card proves the role of its device; nil if that cannot be told here, as it is for
    /// a relay with the card of a reader.
    package func proves(_ card: Card, of device: DeviceID, using crypto: some Cryptography) -> Bool?
    {
        guard card.role != .writer else {
            return generations.id(of: card.generation)
                .flatMap { generations.writeKey(of: $0) }
                .map { writeKey in
                    let signature = Signature(reading: card.proof, at: 0)
                    let signed = device.certifiedBytes
                    return crypto.verify(signature, of: signed.span.bytes, by: writeKey)
                } ?? false
        }
        guard card.generation == generation else { return false }
        return cardKey(of: card.role).map { key in
            Slice(roleCode(of: device, key, using: crypto).bytes) == card.proof
        }
    }

    /// The text of a card; nil without the key, and with a person who has not signed the device.
    package func text(of card: Card, by device: DeviceID, using crypto: some Cryptography)
        -> CardText?
    {
        guard let key = cardKey(of: card.role) else { return nil }
        let sealing = nameKey(of: device, key, using: crypto)
        let opened = card.sealedText.withBytes {
            crypto.open($0, key: sealing, authenticating: [UInt8]().span.bytes)
        }
        guard let text = opened.flatMap({ CardText(packed: Slice($0)) }),
            text.person?.owns(device, using: crypto) ?? true
        else { return nil }
        return text
    }

    /// The key that readers share, and for relays the one that all members share.
    private func cardKey(of role: Capability.Role) -> Bytes32? {
        role == .relay ? relayKey : currentReadKey
    }

    /// HMAC of the device ID under HKDF(key, "parley card").
    private func roleCode(
        of device: DeviceID,
        _ key: Bytes32,
        using crypto: some Cryptography
    ) -> Bytes32 {
        let key = crypto.deriveKey(from: key, info: Array("parley card".utf8).span.bytes)
        return crypto.hmac(device.bytes.span.bytes, key: key)
    }

    /// HKDF(key, "parley name" ‖ device ID).
    private func nameKey(
        of device: DeviceID,
        _ key: Bytes32,
        using crypto: some Cryptography
    ) -> Bytes32 {
        let info = Array("parley name".utf8) + device.bytes
        return crypto.deriveKey(from: key, info: info.span.bytes)
    }
}
