/// The segments that some link has yet to send.
///
/// Links take what they are sent at different speeds. Each sends the same chain of segments, one
/// behind the other, so a segment is encoded once, also if the links come to it in different steps.
package struct SegmentCache: Sendable {
    /// The most bytes of frames that are kept from one step to the next.
    package static let bytesMax = 4 << 20
    /// A segment with less is not kept, so that a link that is far behind sends full frames.
    package static let keptBytesMin = 4 << 10

    private var segments: [EncodedSegment.Key: EncodedSegment] = [:]

    package init() {}

    package var isEmpty: Bool { segments.isEmpty }

    /// Takes out the segment that begins here if it is current, so that it has one owner while it
    /// is used.
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
        segments = segments.filter { key, segment in
            segment.frameBytes >= Self.keptBytesMin && segment.end > sent(key.conversation)
        }
        let bytes = segments.values.reduce(0) { $0 + $1.frameBytes }
        if bytes > Self.bytesMax { segments = [:] }
    }
}
