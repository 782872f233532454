/// The part of an envelope that every node with the relay key can read: all the register needs.
package struct EnvelopeHeader: Sendable, Equatable {
    package var tag: SessionTag
    package var dot: Dot
    /// The highest revision among the replaced envelopes plus 1; 1 if there are none.
    package var revision: UInt64
    /// The highest known sequence of each other origin, ascending by origin.
    package var context: [Dot]
    /// The participants that may replace the message; anybody if empty.
    package var next: [ParticipantID]
    /// Whether the session ends with this message.
    package var isTombstone: Bool
    package var blobs: [BlobReference]
    /// The tag of the generation whose keys seal the body; nil for the birth generation.
    package var generation: UInt64?

    package init(
        tag: SessionTag,
        dot: Dot,
        revision: UInt64,
        context: [Dot] = [],
        next: [ParticipantID] = [],
        isTombstone: Bool = false,
        blobs: [BlobReference] = [],
        generation: UInt64? = nil
    ) {
        self.tag = tag
        self.dot = dot
        self.revision = revision
        self.context = context
        self.next = next
        self.isTombstone = isTombstone
        self.blobs = blobs
        self.generation = generation
    }
}

/// A blob that an envelope lists.
package struct BlobReference: Sendable, Hashable {
    package let id: BlobID
    /// The size of the sealed blob in bytes: 1 to `Limits.blobBytes`.
    package let size: UInt64

    package init(id: BlobID, size: UInt64) {
        self.id = id
        self.size = size
    }

    /// The number of chunks in which the blob travels.
    package var chunkCount: Int { Self.chunkCount(size: size) }

    /// The number of chunks of a blob with `size` bytes.
    static func chunkCount(size: UInt64) -> Int {
        (Int(size) + Limits.blobChunkBytes - 1) / Limits.blobChunkBytes
    }
}

extension EnvelopeHeader {
    /// The value that settles a tie of revisions: tag XOR origin, rotated left by the revision.
    ///
    /// The value costs no hash, does not depend on the body, and differs between any two origins.
    /// Session and revision determine the preferred origin.
    package var tieBreak: Bytes16 {
        Self.tieBreak(tag: tag, origin: dot.origin, revision: revision)
    }

    static func tieBreak(tag: SessionTag, origin: OriginID, revision: UInt64) -> Bytes16 {
        let tag = tag.value.words
        let origin = origin.value.words
        let mixed = UInt128(tag.0 ^ origin.0) << 64 | UInt128(tag.1 ^ origin.1)
        let turn = revision % 128
        let turned = mixed << turn | mixed >> (128 - turn)
        return Bytes16(UInt64(turned >> 64), UInt64(truncatingIfNeeded: turned))
    }
}
