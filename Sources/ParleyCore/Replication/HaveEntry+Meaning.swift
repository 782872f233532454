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

    /// Tells a position and nothing else: the sequence 0 names no envelope.
    package static func watermark(position: UInt64) -> HaveEntry {
        HaveEntry(
            position: position,
            tag: SessionTag(.zero),
            dot: Dot(origin: OriginID(.zero), sequence: 0),
            revision: 0,
            digestPrefix: 0
        )
    }

    /// Answers a want: the envelope was replaced since it was told, or is lost.
    package static func notFound(_ name: EnvelopeName, tag: SessionTag) -> HaveEntry {
        HaveEntry(
            position: 0,
            tag: tag,
            dot: name.dot,
            revision: 0,
            digestPrefix: name.digestPrefix
        )
    }

    /// What it tells of, or asks for.
    package var name: EnvelopeName { EnvelopeName(dot: dot, digestPrefix: digestPrefix) }

    /// Whether it says that an envelope is here.
    package var isEnvelope: Bool { dot.sequence > 0 && revision > 0 }

    /// Whether it says that an envelope is here no more: no revision is 0.
    package var isNotFound: Bool { dot.sequence > 0 && revision == 0 }
}

/// An envelope as it is told and wanted.
///
/// The dot alone does not do: a liar, or a copy of a data directory, puts several envelopes under
/// one, and each of them may be a head.
package struct EnvelopeName: Hashable, Comparable, Sendable {
    package let dot: Dot
    /// The first eight bytes of the digest.
    package let digestPrefix: UInt64

    package static func < (left: EnvelopeName, right: EnvelopeName) -> Bool {
        left.dot == right.dot
            ? left.digestPrefix < right.digestPrefix : left.dot < right.dot
    }
}

extension Head {
    /// How it is told.
    package var name: EnvelopeName { EnvelopeName(dot: dot, digestPrefix: digest.words.0) }
}
