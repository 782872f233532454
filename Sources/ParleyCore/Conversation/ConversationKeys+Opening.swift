/// Opens what members have sealed.
extension ConversationKeys {
    /// The body of an envelope, or nil if unreadable, or at odds with the header's tag or blob
    /// count.
    func open(
        _ envelope: EnvelopeItems,
        bodyKey: Bytes32,
        using crypto: some Cryptography
    ) -> MessageBody? {
        let data = Envelope.associatedData(
            conversation: record.id,
            headerBytes: envelope.headerBytes
        )
        let plaintext = envelope.body.withBytes {
            crypto.open($0, key: bodyKey, authenticating: data.span.bytes)
        }
        guard let plaintext, let body = try? MessageBody(decoding: Slice(plaintext)),
            tag(of: body.session, using: crypto) == envelope.header.tag,
            body.blobTypes.count == envelope.header.blobs.count
        else { return nil }
        return body
    }

    /// The opened bytes of a blob that `origin` sealed in any generation, or nil if the blob does
    /// not open.
    package func openBlob(
        _ sealed: Slice,
        of origin: OriginID,
        using crypto: some Cryptography
    ) -> [UInt8]? {
        blobKeys(of: origin, using: crypto).lazy
            .compactMap { key in
                sealed.withBytes {
                    crypto.open($0, key: key, authenticating: record.id.bytes.span.bytes)
                }
            }
            .first
    }
}
