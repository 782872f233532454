/// The keys and names that follow from a capability and the generations of keys, derived once.
package struct ConversationKeys: Sendable {
    /// The conversation with the keys of the current generation.
    package let record: ConversationRecord
    package internal(set) var generations: Generations
    let relayKey: Bytes32
    /// R of earlier generations in which this node was, the latest first.
    let earlierRelayKeys: [Bytes32]
    /// The tag of the current generation; nil for the birth generation.
    let generation: UInt64?
    /// K of generations by tag; without a tag, of the birth generation.
    private let readKeys: [UInt64?: Bytes32]
    private let tagKey: Bytes32?
    /// The origin of this device in the present epoch.
    package let ownOrigin: OriginID
    package let ownParticipant: ParticipantID

    init(
        record: ConversationRecord,
        generations: Generations,
        device: DeviceID,
        epoch: Epoch,
        using crypto: some Cryptography
    ) {
        self.record = record
        self.generations = generations
        relayKey = record.capability.relayKey
        let readable = ReadKeys(of: generations, using: crypto)
        earlierRelayKeys = generations.earlierRelayKeys(readable, using: crypto)
        generation = generations.currentTag
        readKeys = readable.byTag
        tagKey = readKeys[nil].map { key in
            crypto.deriveKey(from: key, info: Array("parley tag".utf8).span.bytes)
        }
        ownOrigin = OriginID(
            conversation: record.id,
            device: device,
            epoch: epoch,
            using: crypto
        )
        ownParticipant = ParticipantID(conversation: record.id, device: device, using: crypto)
    }

    package var id: ConversationID { record.id }

    /// Whether the sessions are known here, and the messages of most generations can be opened.
    package var canRead: Bool { tagKey != nil }

    /// K of the current generation; nil on a relay.
    var currentReadKey: Bytes32? { readKeys[generation] }

    /// The tag under which relays know `session`, or nil without the read key.
    package func tag(of session: SessionUUID, using crypto: some Cryptography) -> SessionTag? {
        tagKey.map { SessionTag(crypto.hmac(session.bytes.span.bytes, key: $0).prefix16) }
    }

    /// The key that seals the bodies of `origin` in a generation, or nil without the read key.
    func bodyKey(
        of origin: OriginID,
        in generation: UInt64?,
        using crypto: some Cryptography
    ) -> Bytes32? {
        derived("parley body", of: origin, in: generation, using: crypto)
    }

    /// The key that seals the blobs of `origin` in a generation, or nil without the read key.
    func blobKey(
        of origin: OriginID,
        in generation: UInt64?,
        using crypto: some Cryptography
    ) -> Bytes32? {
        derived("parley blob", of: origin, in: generation, using: crypto)
    }

    /// The keys of blobs of `origin`, for each readable generation.
    func blobKeys(of origin: OriginID, using crypto: some Cryptography) -> [Bytes32] {
        readKeys.keys.compactMap { blobKey(of: origin, in: $0, using: crypto) }
    }

    /// The key that seals the signals of `origin`, or nil without the read key.
    func signalKey(of origin: OriginID, using crypto: some Cryptography) -> Bytes32? {
        derived("parley signal", of: origin, in: generation, using: crypto)
    }

    /// The part of the seals of receipts that only readers know, or nil without the read key.
    func receiptKey(using crypto: some Cryptography) -> Bytes32? {
        currentReadKey.map { key in
            crypto.deriveKey(from: key, info: Array("parley receipt".utf8).span.bytes)
        }
    }

    /// The proof of membership of one side of a link, bound to the TLS session of `exporter`.
    func membershipTag(
        exporter: Bytes32,
        isInitiator: Bool,
        using crypto: some Cryptography
    ) -> Bytes16 {
        tag([], relayKey, exporter, isInitiator, using: crypto)
    }

    /// The proofs of earlier keys by one side of a link, sent beside the tag of the present keys.
    func earlierTags(
        exporter: Bytes32,
        isInitiator: Bool,
        using crypto: some Cryptography
    ) -> [Bytes16] {
        earlierRelayKeys.map {
            tag(Array("parley earlier".utf8), $0, exporter, isInitiator, using: crypto)
        }
    }

    /// The tags of a peer without the present keys: tags of earlier keys, or proofs of them.
    func outdatedTags(
        exporter: Bytes32,
        isInitiator: Bool,
        using crypto: some Cryptography
    ) -> [Bytes16] {
        earlierRelayKeys.map { tag([], $0, exporter, isInitiator, using: crypto) }
            + earlierTags(exporter: exporter, isInitiator: isInitiator, using: crypto)
    }

    private func tag(
        _ label: [UInt8],
        _ key: Bytes32,
        _ exporter: Bytes32,
        _ isInitiator: Bool,
        using crypto: some Cryptography
    ) -> Bytes16 {
        var message = exporter.bytes
        message.append(isInitiator ? 0 : 1)
        id.append(to: &message)
        return crypto.hmac((message + label).span.bytes, key: key).prefix16
    }

    /// The proof that the node which opened the connection of `exporter` can read, or nil without
    /// the read key; the other node then sends it the file that the message of `session` offers.
    package func fileProof(
        for session: SessionUUID,
        exporter: Bytes32,
        using crypto: some Cryptography
    ) -> Bytes32? {
        guard let readKey = currentReadKey else { return nil }
        let key = crypto.deriveKey(from: readKey, info: Array("parley file".utf8).span.bytes)
        var message = Array("parley file 1".utf8)
        exporter.append(to: &message)
        session.append(to: &message)
        return crypto.hmac(message.span.bytes, key: key)
    }

    private func derived(
        _ label: String,
        of origin: OriginID,
        in generation: UInt64?,
        using crypto: some Cryptography
    ) -> Bytes32? {
        guard let readKey = readKeys[generation] else { return nil }
        var info = Array(label.utf8)
        origin.append(to: &info)
        return crypto.deriveKey(from: readKey, info: info.span.bytes)
    }
}
