/// How the picture of a message travels.
package enum AuthoredPicture: Sendable {
    case none
    case inline(InlinePicture)
    /// The reference to the blob, the picture's description, and the sealed bytes.
    case blob(BlobReference, PictureDescription, Slice)

    package var references: [BlobReference] {
        if case .blob(let reference, _, _) = self { [reference] } else { [] }
    }

    /// Makes the layout of a body refer to the picture.
    func place(in body: inout MessageBody) {
        switch self {
        case .none:
            return
        case .inline(let picture):
            body.inline = picture
            body.layout?.setImage(.inline)
        case .blob(_, let picture, _):
            body.blobTypes = [picture]
            body.layout?.setImage(.blob(0))
        }
    }
}

extension AuthoredPicture {
    /// The picture of a layout, sealed if it is too long to travel in the body.
    init(
        _ picture: InlinePicture?,
        of origin: OriginID,
        in conversation: Conversation,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) throws(AuthorRefusal) {
        guard let picture else {
            self = .none
            return
        }
        guard picture.bytes.count > Limits.inlineBytes else {
            self = .inline(picture)
            return
        }
        guard picture.bytes.count + SealNonce.overhead <= Limits.blobBytes else {
            throw AuthorRefusal(
                .tooLarge(
                    bytes: picture.bytes.count,
                    limit: Limits.blobBytes - SealNonce.overhead
                )
            )
        }
        guard
            let key = conversation.keys.blobKey(
                of: origin,
                in: conversation.keys.generation,
                using: crypto
            )
        else {
            throw AuthorRefusal(.readOnly)
        }
        let id = conversation.record.id.bytes
        let sealed = picture.bytes.withBytes { bytes in
            crypto.seal(
                bytes,
                key: key,
                nonce: SealNonce(using: &random),
                authenticating: id.span.bytes
            )
        }
        let described = PictureDescription(
            type: picture.type,
            hash: crypto.sha256(picture.bytes),
            size: UInt64(picture.bytes.count)
        )
        let reference = BlobReference(
            id: BlobID(crypto.sha256(sealed)),
            size: UInt64(sealed.count)
        )
        self = .blob(reference, described, Slice(sealed))
    }
}

extension MessageLayout {
    mutating func setImage(_ image: ImageReference) {
        switch self {
        case .template(var layout):
            layout.image = image
            self = .template(layout)
        case .live(var alternate):
            alternate.image = image
            self = .live(alternate: alternate)
        }
    }

    /// The layout itself, or the alternate of a live one.
    package var template: TemplateLayout {
        switch self {
        case .template(let layout), .live(let layout): layout
        }
    }
}
