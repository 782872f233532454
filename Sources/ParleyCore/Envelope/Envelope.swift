/// A signed, sealed message as nodes store and send it, at most `Limits.envelopeBytes` long.
///
/// Header, body and proof follow one another. They are well-formed, but nothing more is known;
/// `Conversation.prove` checks the proof over `digest(in:using:)`.
package struct Envelope: Sendable, Equatable {
    package let header: EnvelopeHeader
    /// The first item as received; the proof and the sealing cover these bytes.
    package let headerBytes: Slice
    /// The content of the second item: the sealed bytes of a `MessageBody`.
    package let body: Slice
    package let proof: EnvelopeProof
    /// All three items as received.
    package let bytes: Slice
    /// The offset of the proof in `bytes`.
    package let proofStart: Int

    /// Reads an envelope that fills `bytes`; its parts share the array.
    package init(decoding bytes: Slice) throws(CodecError) {
        guard bytes.count <= Limits.envelopeBytes else { throw .tooLong }
        var reader = CBORReader(bytes)
        // The properties are set once nothing can fail: a half-made value would be copied.
        let header = try EnvelopeHeader(from: &reader)
        let headerBytes = reader.position
        let body = try reader.byteString(lengthMax: Limits.envelopeBytes)
        let proofStart = reader.position
        let proof = try EnvelopeProof(from: &reader)
        try reader.finish()
        self.header = header
        self.headerBytes = bytes[0..<headerBytes]
        self.body = body
        self.proof = proof
        self.bytes = bytes
        self.proofStart = proofStart
    }

    /// An envelope of this node, with the parts encoded into `bytes`.
    init(header: EnvelopeHeader, headerBytes: Slice, body: Slice, proof: EnvelopeProof) {
        self.header = header
        self.headerBytes = headerBytes
        self.body = body
        self.proof = proof
        bytes = Slice(Self.encode(headerBytes: headerBytes, body: body, proof: proof))
        proofStart = Self.proofStart(headerBytes, body: body)
    }

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

    // MARK: Hashed and authenticated bytes

    /// The digest that a proof signs: SHA-256("parley envelope 2" ‖ conversation ID ‖ items).
    ///
    /// `items` are the bytes of the envelope up to the proof: header and sealed body.
    package static func digest(
        of items: Slice,
        in conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        var prefix = HashInput()
        prefix.append("parley envelope 2")
        prefix.append(conversation.value)
        return items.withBytes { prefix.sha256(then: $0, using: cryptography) }
    }

    /// The digest of an envelope that has no proof yet.
    package static func digest(
        headerBytes: Slice,
        body: Slice,
        in conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        let writer = writer(headerBytes: headerBytes, body: body)
        return digest(of: Slice(writer.finish()), in: conversation, using: cryptography)
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

    /// The digest that the proof signs.
    package func digest(
        in conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        Self.digest(of: bytes[0..<proofStart], in: conversation, using: cryptography)
    }

    /// The values of this envelope that the register needs.
    package func head(
        in conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Head {
        Head(
            dot: header.dot,
            revision: header.revision,
            context: header.context,
            tieBreak: header.tieBreak,
            digest: digest(in: conversation, using: cryptography)
        )
    }
}

extension EnvelopeHeader {
    /// The value that settles a tie of revisions: tag XOR origin, rotated left by the revision.
    ///
    /// The value costs no hash, does not depend on the body, and differs between any two origins.
    /// Session and revision determine the preferred origin.
    package var tieBreak: Bytes16 {
        let tag = tag.value.words
        let origin = dot.origin.value.words
        let mixed = UInt128(tag.0 ^ origin.0) << 64 | UInt128(tag.1 ^ origin.1)
        let turn = revision % 128
        let turned = mixed << turn | mixed >> (128 - turn)
        return Bytes16(UInt64(turned >> 64), UInt64(truncatingIfNeeded: turned))
    }
}
