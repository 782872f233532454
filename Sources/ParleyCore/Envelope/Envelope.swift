/// One signed, sealed message as it is stored and sent: header, body and proof, one after the
/// other, at most `Limits.envelopeBytes`.
///
/// The parts are well-formed, and nothing more is known of them; the proof is checked with
/// `proof.holds(for:by:using:)` over `digest(in:using:)`.
package struct Envelope: Sendable, Equatable {
    package let header: EnvelopeHeader
    /// The first item as it was received; the proof and the sealing cover these bytes.
    package let headerBytes: Slice
    /// The content of the second item: the sealed bytes of a `MessageBody`.
    package let body: Slice
    package let proof: EnvelopeProof
    /// All three items as they were received.
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

    /// An envelope that this node wrote; its parts are encoded into `bytes`.
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
        var buffer: [UInt8] = []
        buffer.reserveCapacity(headerBytes.count + body.count + 512)
        headerBytes.append(to: &buffer)
        var writer = CBORWriter(buffer)
        buffer = []
        writer.byteString(body)
        proof.write(to: &writer)
        return writer.finish()
    }

    // MARK: Hashed and authenticated bytes

    /// The digest that a proof signs: SHA-256("parley envelope 1" ‖ conversation ID ‖
    /// SHA-256(header) ‖ SHA-256(body)).
    ///
    /// `header` is the whole first item, the head of its array included; `body` is the sealed
    /// bytes, nonce, ciphertext and tag, without the head of their byte string.
    package static func digest(
        header: Slice,
        body: Slice,
        conversation: ConversationID,
        using cryptography: some Cryptography
    ) -> Bytes32 {
        var input = HashInput()
        input.append("parley envelope 1")
        input.append(conversation.value)
        input.append(cryptography.sha256(header))
        input.append(cryptography.sha256(body))
        return input.sha256(using: cryptography)
    }

    /// The bytes that the sealing of the body authenticates as well: conversation ID ‖ header.
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
        Self.digest(
            header: headerBytes,
            body: body,
            conversation: conversation,
            using: cryptography
        )
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
            tieBreak: header.tieBreak(using: cryptography),
            digest: digest(in: conversation, using: cryptography)
        )
    }
}

extension EnvelopeHeader {
    /// SHA-256(tag ‖ context ‖ origin), with `context` as it is packed in the header: 24 bytes a
    /// dot.
    package func tieBreak(using cryptography: some Cryptography) -> Bytes32 {
        guard !context.isEmpty else {
            var input = HashInput()
            input.append(tag.value)
            input.append(dot.origin.value)
            return input.sha256(using: cryptography)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 + Dot.packedBytes * context.count)
        tag.append(to: &bytes)
        for dot in context { dot.appendPacked(to: &bytes) }
        dot.origin.append(to: &bytes)
        return cryptography.sha256(bytes)
    }
}
