extension HaveEntry {
    init(_ head: Head, tag: SessionTag, position: UInt64) {
        self.init(
            position: position,
            tag: tag,
            dot: head.dot,
            revision: head.revision,
            digestPrefix: head.digest.words.0
        )
    }

    /// An entry that announces only a position and requests its confirmation; the sequence is 0.
    package static func watermark(position: UInt64) -> HaveEntry {
        HaveEntry(
            position: position,
            isAwaited: true,
            tag: SessionTag(.zero),
            dot: Dot(origin: OriginID(.zero), sequence: 0),
            revision: 0,
            digestPrefix: 0
        )
    }

    /// The answer to a want for an envelope that was replaced since it was announced, or is lost.
    package static func notFound(_ name: EnvelopeName) -> HaveEntry {
        HaveEntry(
            position: 0,
            tag: name.tag,
            dot: name.dot,
            revision: 0,
            digestPrefix: name.digestPrefix
        )
    }

    /// The envelope that the entry announces or asks for.
    package var name: EnvelopeName {
        EnvelopeName(tag: tag, dot: dot, digestPrefix: digestPrefix)
    }

    /// Whether the entry announces an envelope.
    package var isEnvelope: Bool { dot.sequence > 0 && revision > 0 }

    /// Whether the entry says that an envelope is not found: no envelope has the revision 0.
    package var isNotFound: Bool { dot.sequence > 0 && revision == 0 }

    /// Whether a `have` frame may have the entry: an envelope, a watermark, or "not found".
    ///
    /// All bytes of a watermark but the position are zero, and "not found" has no position.
    var mayBeAnnounced: Bool {
        if isEnvelope { return true }
        if isNotFound { return position == 0 }
        var watermark = HaveEntry.watermark(position: position)
        watermark.isAwaited = isAwaited
        return position > 0 && self == watermark
    }
}

/// The name of an envelope in announcements and wants.
///
/// A dot alone is ambiguous: a Byzantine writer or a copy of a data directory can put several
/// envelopes under the same dot, and each of the envelopes may be a head.
package struct EnvelopeName: Hashable, Comparable, Sendable {
    /// The session, as a peer can announce a real envelope in a wrong session.
    package let tag: SessionTag
    package let dot: Dot
    /// The first eight bytes of the digest.
    package let digestPrefix: UInt64

    package init(tag: SessionTag, dot: Dot, digestPrefix: UInt64) {
        self.tag = tag
        self.dot = dot
        self.digestPrefix = digestPrefix
    }

    package static func < (left: EnvelopeName, right: EnvelopeName) -> Bool {
        guard left.dot == right.dot else { return left.dot < right.dot }
        guard left.digestPrefix == right.digestPrefix else {
            return left.digestPrefix < right.digestPrefix
        }
        return left.tag.value < right.tag.value
    }
}
