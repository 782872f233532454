/// Header and sealed body of an envelope: the items that the proof signs.
package struct EnvelopeItems: Sendable, Equatable {
    package let header: EnvelopeHeader
    /// Both items as received.
    package let bytes: Slice
    private let headerCount: UInt32
    private let bodyCount: UInt32

    init(header: EnvelopeHeader, bytes: Slice, headerCount: Int, bodyCount: Int) {
        self.header = header
        self.bytes = bytes
        self.headerCount = UInt32(headerCount)
        self.bodyCount = UInt32(bodyCount)
    }

    /// Reads the items at the beginning of `slice`, of which the reader has read nothing.
    init(from reader: inout CBORReader, of slice: Slice) throws(CodecError) {
        let header = try EnvelopeHeader(from: &reader)
        let headerCount = reader.position
        let body = try reader.byteString(lengthMax: Limits.envelopeBytes)
        self.init(
            header: header,
            bytes: slice[0..<reader.position],
            headerCount: headerCount,
            bodyCount: body.count
        )
    }

    /// Reads items that fill `slice`.
    init(decoding slice: Slice) throws(CodecError) {
        if let usual = Self.usual(slice) {
            self = usual
            return
        }
        var reader = CBORReader(slice)
        let items = try Self(from: &reader, of: slice)
        try reader.finish()
        self = items
    }

    /// The first item as received.
    package var headerBytes: Slice { bytes[0..<Int(headerCount)] }
    /// The content of the second item: the sealed bytes of a `MessageBody`.
    package var body: Slice { bytes[bytes.count - Int(bodyCount)..<bytes.count] }

    // MARK: Hashed and authenticated bytes

    /// The digest that a proof signs: SHA-256("parley envelope 2" ‖ conversation ID ‖ items).
    package static func digest(
        of items: Slice,
        in conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        let prefix = digestPrefix(in: conversation)
        return items.withBytes { prefix.sha256(then: $0, using: cryptography) }
    }

    /// The bytes that are hashed in front of the items for a digest.
    static func digestPrefix(in conversation: ConversationID) -> HashInput {
        var prefix = HashInput()
        prefix.append("parley envelope 2")
        prefix.append(conversation.value)
        return prefix
    }

    /// The values of the envelope that the register needs.
    package func head(
        in conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Head {
        Head(
            dot: header.dot,
            revision: header.revision,
            context: header.context,
            tieBreak: header.tieBreak,
            digest: Self.digest(of: bytes, in: conversation, using: cryptography)
        )
    }
}
