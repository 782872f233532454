import ParleyCore
import ParleyFaults

/// Random legal values of everything that the codec knows, with lengths at and below the limits.
extension SeededRandom {
    mutating func bytes16() -> Bytes16 { Bytes16(next(), next()) }
    mutating func bytes32() -> Bytes32 { Bytes32(next(), next(), next(), next()) }
    mutating func slice(_ range: ClosedRange<Int>) -> Slice { Slice(bytes(length(range))) }

    mutating func signature() -> Signature {
        Signature(first: bytes32(), second: bytes32())
    }

    /// A length, each limit often.
    mutating func length(_ range: ClosedRange<Int>) -> Int {
        if chance(1, in: 8) { return range.lowerBound }
        if chance(1, in: 8) { return range.upperBound }
        return Int.random(in: range.lowerBound...min(range.upperBound, 40), using: &self)
    }

    /// A number of any width.
    mutating func number() -> UInt64 {
        next() >> UInt64.random(in: 0..<64, using: &self)
    }

    mutating func number32() -> UInt32 { UInt32(truncatingIfNeeded: next()) }

    /// A revision, sequence or place.
    mutating func sequence() -> UInt64 {
        max(1, next() >> UInt64.random(in: 16..<64, using: &self))
    }

    /// At most `bytesMax` bytes of letters, some of them two to four bytes long.
    mutating func text(_ bytesMax: Int) -> String {
        let letters = ["a", "Z", "é", "ß", "€", "中", "🎲", "\0", "\u{10ffff}"]
        let goal = length(0...bytesMax)
        var text = ""
        while text.utf8.count < goal {
            let letter = letters[Int.random(in: 0..<letters.count, using: &self)]
            text += text.utf8.count + letter.utf8.count <= goal ? letter : "."
        }
        return text
    }

    mutating func optionalText(_ bytesMax: Int) -> String? {
        chance(1, in: 2) ? text(bytesMax) : nil
    }

    mutating func dot() -> Dot {
        Dot(origin: OriginID(bytes16()), sequence: sequence())
    }

    // MARK: Envelopes

    mutating func header() -> EnvelopeHeader {
        let seen = (0..<length(0...Limits.contextOrigins)).map { _ in dot() }
        let next = (0..<length(0...Limits.nextParticipants)).map { _ in
            ParticipantID(bytes16())
        }
        let blobs = (0..<Int.random(in: 0...Limits.blobsPerEnvelope, using: &self)).map { _ in
            BlobReference(
                id: BlobID(bytes32()),
                size: UInt64(length(1...Limits.blobBytes))
            )
        }
        return EnvelopeHeader(
            tag: SessionTag(bytes16()),
            dot: dot(),
            revision: sequence(),
            context: seen.sorted(),
            next: next,
            isTombstone: chance(1, in: 2),
            blobs: blobs
        )
    }

    mutating func body() -> MessageBody {
        let blobTypes = (0..<Int.random(in: 0...Limits.blobsPerEnvelope, using: &self)).map { _ in
            PictureDescription(
                type: text(Limits.mediaTypeBytes),
                hash: bytes32(),
                size: UInt64(length(0...Limits.blobBytes))
            )
        }
        let inline =
            chance(1, in: 2)
            ? InlinePicture(
                type: text(Limits.mediaTypeBytes),
                bytes: slice(0...Limits.inlineBytes)
            ) : nil
        let images: [ImageReference?] =
            [nil] + blobTypes.indices.map { .blob($0) } + (inline == nil ? [] : [.inline])
        return MessageBody(
            session: SessionUUID(bytes16()),
            place: sequence(),
            sentAt: Int64(bitPattern: number()) &* (chance(1, in: 4) ? -1 : 1),
            app: text(Limits.appBytes),
            url: optionalText(Limits.urlBytes),
            summaryText: optionalText(Limits.summaryBytes),
            accessibilityLabel: optionalText(Limits.accessibilityLabelBytes),
            shouldExpire: chance(1, in: 2),
            layout: layout(images: images),
            blobTypes: blobTypes,
            inline: inline,
            deviceName: optionalText(Limits.deviceNameBytes).flatMap { $0.isEmpty ? nil : $0 }
        )
    }

    private mutating func layout(images: [ImageReference?]) -> MessageLayout? {
        let template = TemplateLayout(
            caption: optionalText(Limits.captionBytes),
            subcaption: optionalText(Limits.captionBytes),
            trailingCaption: optionalText(Limits.captionBytes),
            trailingSubcaption: optionalText(Limits.captionBytes),
            imageTitle: optionalText(Limits.captionBytes),
            imageSubtitle: optionalText(Limits.captionBytes),
            image: images[Int.random(in: 0..<images.count, using: &self)]
        )
        let layouts = [nil, .template(template), MessageLayout.live(alternate: template)]
        return layouts[Int.random(in: 0..<layouts.count, using: &self)]
    }

    mutating func proof() -> EnvelopeProof {
        guard chance(1, in: 2) else { return .single(signature()) }
        let depth = Int.random(in: 1...Limits.proofDepth, using: &self)
        return .batch(
            signature(),
            index: Int.random(in: 0..<1 << depth, using: &self),
            path: ProofPath((0..<depth).map { _ in bytes32() })
        )
    }

    /// An envelope whose proof proves nothing.
    mutating func envelope() -> Slice {
        Slice(
            Envelope.encode(
                headerBytes: Slice(header().encoded()),
                body: slice(0...20_000),
                proof: proof()
            )
        )
    }
}
