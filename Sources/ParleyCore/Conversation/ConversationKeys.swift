/// The keys and names that follow from a capability, derived once.
package struct ConversationKeys: Sendable {
    package let id: ConversationID
    let relayKey: Bytes32
    let publicWriteKey: Bytes32
    private let readKey: Bytes32?
    private let tagKey: Bytes32?
    /// The origin of this device in the present epoch.
    package let ownOrigin: OriginID
    package let ownParticipant: ParticipantID

    init(
        record: ConversationRecord,
        device: DeviceID,
        epoch: Epoch,
        using crypto: some Cryptography
    ) {
        id = record.id
        relayKey = record.capability.relayKey
        publicWriteKey = record.capability.publicWriteKey
        readKey = record.capability.readKey
        tagKey = readKey.map { key in
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

    package var canRead: Bool { readKey != nil }

    /// The tag under which relays know `session`, or nil without the read key.
    package func tag(of session: SessionUUID, using crypto: some Cryptography) -> SessionTag? {
        tagKey.map { SessionTag(crypto.hmac(session.bytes.span.bytes, key: $0).prefix16) }
    }

    /// The key that seals the bodies of `origin`, or nil without the read key.
    func bodyKey(of origin: OriginID, using crypto: some Cryptography) -> Bytes32? {
        derived("parley body", of: origin, using: crypto)
    }

    /// The key that seals the blobs of `origin`, or nil without the read key.
    func blobKey(of origin: OriginID, using crypto: some Cryptography) -> Bytes32? {
        derived("parley blob", of: origin, using: crypto)
    }

    /// The key that seals the signals of `origin`, or nil without the read key.
    func signalKey(of origin: OriginID, using crypto: some Cryptography) -> Bytes32? {
        derived("parley signal", of: origin, using: crypto)
    }

    /// The part of the seals of receipts that only readers know, or nil without the read key.
    func receiptKey(using crypto: some Cryptography) -> Bytes32? {
        readKey.map { crypto.deriveKey(from: $0, info: Array("parley receipt".utf8).span.bytes) }
    }

    /// The proof of membership of one side of a link, bound to the TLS session of `exporter`.
    func membershipTag(
        exporter: Bytes32,
        isInitiator: Bool,
        using crypto: some Cryptography
    ) -> Bytes16 {
        var message = exporter.bytes
        message.append(isInitiator ? 0 : 1)
        id.append(to: &message)
        return crypto.hmac(message.span.bytes, key: relayKey).prefix16
    }

    /// The proof that the node which opened the connection of `exporter` can read, or nil without
    /// the read key; the other node then sends it the file that the message of `session` offers.
    package func fileProof(
        for session: SessionUUID,
        exporter: Bytes32,
        using crypto: some Cryptography
    ) -> Bytes32? {
        guard let readKey else { return nil }
        let key = crypto.deriveKey(from: readKey, info: Array("parley file".utf8).span.bytes)
        var message = Array("parley file 1".utf8)
        exporter.append(to: &message)
        session.append(to: &message)
        return crypto.hmac(message.span.bytes, key: key)
    }

    private func derived(
        _ label: String,
        of origin: OriginID,
        using crypto: some Cryptography
    ) -> Bytes32? {
        guard let readKey else { return nil }
        var info = Array(label.utf8)
        origin.append(to: &info)
        return crypto.deriveKey(from: readKey, info: info.span.bytes)
    }
}
