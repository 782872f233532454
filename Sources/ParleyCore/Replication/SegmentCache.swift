/// The segments that some link has yet to send.
///
/// Links are served at different speeds, and most of them send the same segments one after the
/// other. So a segment is encoded once, also for links that come to it in different steps.
package struct SegmentCache: Sendable {
    /// The most bytes of frames that are kept from one step to the next.
    package static let bytesMax = 4 << 20
    /// A shorter segment is not kept, so that a link that is far behind sends full frames.
    package static let keptBytesMin = 4 << 10

    private var segments: [EncodedSegment.Key: EncodedSegment] = [:]

    package init() {}

    package var isEmpty: Bool { segments.isEmpty }

    /// Takes out the current segment with this key, so that the segment has a single owner while in
    /// use.
    package mutating func take(
        _ key: EncodedSegment.Key,
        of conversation: Conversation
    ) -> EncodedSegment? {
        guard var segment = segments.removeValue(forKey: key), segment.isCurrent(in: conversation)
        else { return nil }
        return segment
    }

    package mutating func put(_ segment: EncodedSegment) { segments[segment.key] = segment }

    /// Ends a step: keeps what is long enough and not sent by all links.
    ///
    /// `sent` is the position up to which all links have sent the feed of a conversation.
    package mutating func endStep(sent: (_ conversation: UInt32) -> UInt64) {
        guard !isEmpty else { return }
        var bytes = 0
        var dropped: [EncodedSegment.Key] = []
        for segment in segments.values {
            let isKept =
                segment.frameBytes >= Self.keptBytesMin
                && segment.end > sent(segment.key.conversation)
            if isKept { bytes += segment.frameBytes } else { dropped.append(segment.key) }
        }
        for key in dropped { segments[key] = nil }
        if bytes > Self.bytesMax { segments = [:] }
    }
}
