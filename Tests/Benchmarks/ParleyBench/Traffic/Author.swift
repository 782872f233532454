import ParleyCore
import ParleyKeys

/// A writer of one conversation, with its derived keys.
struct Author: Sendable {
    let key: DeviceKey
    let crypto: DeviceCryptography
    let conversation: ConversationID
    let capability: Capability
    let record: OriginRecord
    let origin: OriginID
    private let bodyKey: Bytes32
    private let tagKey: Bytes32

    init(_ capability: Capability, key: DeviceKey = .random()) throws {
        self.key = key
        crypto = DeviceCryptography(key)
        self.capability = capability
        conversation = capability.conversationID
        guard let readKey = capability.readKey else {
            throw BenchError.unexpected("the capability is not a writer's")
        }
        let epoch = Epoch(1)
        record = OriginRecord(
            deviceKey: key.publicKey,
            epoch: epoch,
            certificate: try capability.certify(key.id)
        )
        origin = OriginID(
            conversation: conversation,
            device: key.id,
            epoch: epoch,
            using: crypto
        )
        let label = Array("parley body".utf8) + origin.bytes
        bodyKey = crypto.deriveKey(from: readKey, info: label.span.bytes)
        tagKey = crypto.deriveKey(from: readKey, info: Array("parley tag".utf8).span.bytes)
    }

    func tag(of session: SessionUUID) -> SessionTag {
        SessionTag(crypto.hmac(session.bytes.span.bytes, key: tagKey).prefix16)
    }

    /// Seals `body` for an envelope with that header.
    func seal(
        _ body: [UInt8],
        headerBytes: Slice,
        random: inout SystemRandomNumberGenerator
    ) -> Slice {
        let data = Envelope.associatedData(
            conversation: conversation,
            headerBytes: headerBytes
        )
        return Slice(
            crypto.seal(
                body.span.bytes,
                key: bodyKey,
                nonce: SealNonce(using: &random),
                authenticating: data.span.bytes
            )
        )
    }
}
