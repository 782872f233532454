/// A signed, sealed message as nodes store and send it, at most `Limits.envelopeBytes` long.
///
/// Header, body and proof follow one another. They are well-formed, but nothing more is known;
/// `Conversation.prove` checks the proof over `EnvelopeItems.digest`.
package struct Envelope: Sendable, Equatable {
    package let items: EnvelopeItems
    package let proof: EnvelopeProof
    /// All three items as received.
    package let bytes: Slice

    /// Reads an envelope that fills `bytes`; its parts share the array.
    package init(decoding bytes: Slice) throws(CodecError) {
        guard bytes.count <= Limits.envelopeBytes else { throw .tooLong }
        var reader = CBORReader(bytes)
        // The properties are set once nothing can fail: a half-made value would be copied.
        let items = try EnvelopeItems(from: &reader, of: bytes)
        let proof = try EnvelopeProof(from: &reader)
        try reader.finish()
        self.items = items
        self.proof = proof
        self.bytes = bytes
    }

    /// An envelope of this node, with the parts encoded into `bytes`.
    init(header: EnvelopeHeader, headerBytes: Slice, body: Slice, proof: EnvelopeProof) {
        bytes = Slice(Self.encode(headerBytes: headerBytes, body: body, proof: proof))
        let end = Self.proofStart(headerBytes, body: body)
        items = EnvelopeItems(
            header: header,
            bytes: bytes[0..<end],
            headerCount: headerBytes.count,
            bodyCount: body.count
        )
        self.proof = proof
    }

    package var header: EnvelopeHeader { items.header }
    /// The first item as received.
    package var headerBytes: Slice { items.headerBytes }
    /// The content of the second item: the sealed bytes of a `MessageBody`.
    package var body: Slice { items.body }
    /// The offset of the proof in `bytes`.
    package var proofStart: Int { items.bytes.count }

    /// The offset of the proof behind this header and this body.
    package static func proofStart(_ headerBytes: Slice, body: Slice) -> Int {
        headerBytes.count + CBORWriter.byteStringBytes(count: body.count)
    }

    /// The three items in one buffer; the caller checks the length.
    package static func encode(
        headerBytes: Slice,
        body: Slice,
        proof: EnvelopeProof
    ) -> [UInt8] {
        var writer = writer(headerBytes: headerBytes, body: body)
        proof.write(to: &writer)
        return writer.finish()
    }

    /// A writer after the first two items.
    private static func writer(headerBytes: Slice, body: Slice) -> CBORWriter {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(headerBytes.count + body.count + 512)
        headerBytes.append(to: &buffer)
        var writer = CBORWriter(buffer)
        buffer = []
        writer.byteString(body)
        return writer
    }

    /// The associated data of the sealed body: conversation ID ‖ header.
    package static func associatedData(
        conversation: ConversationID,
        headerBytes: Slice
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ConversationID.count + headerBytes.count)
        conversation.append(to: &bytes)
        headerBytes.append(to: &bytes)
        return bytes
    }

    /// The digest of an envelope that has no proof yet.
    package static func digest(
        headerBytes: Slice,
        body: Slice,
        in conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        let items = Slice(writer(headerBytes: headerBytes, body: body).finish())
        return EnvelopeItems.digest(of: items, in: conversation, using: cryptography)
    }

    /// The digest that the proof signs.
    package func digest(
        in conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        EnvelopeItems.digest(of: items.bytes, in: conversation, using: cryptography)
    }

    /// The values of this envelope that the register needs.
    package func head(
        in conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Head {
        items.head(in: conversation, using: cryptography)
    }
}
