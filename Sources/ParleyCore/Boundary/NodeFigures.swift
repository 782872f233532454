/// Counts of a node since its start.
package struct NodeFigures: Sendable, Equatable {
    /// Envelopes that peers sent, known ones included.
    package var envelopesReceived: UInt64 = 0
    /// Envelopes sent, each once per link.
    package var envelopesSent: UInt64 = 0
    /// Bytes of the received envelopes, with the prefixes of their frames.
    package var envelopeBytesReceived: UInt64 = 0

    /// Frames that peers sent, but for envelopes, by their types.
    package private(set) var framesReceived: [FrameType: UInt64] = [:]
    /// Frames that were sent, likewise.
    package private(set) var framesSent: [FrameType: UInt64] = [:]

    package init() {}

    /// Counts a frame that is no envelope.
    mutating func received(_ type: FrameType) { framesReceived[type, default: 0] += 1 }

    /// Counts frames that were handed over for a link.
    mutating func sent(_ frames: [FrameType: UInt64]) {
        for (type, count) in frames { framesSent[type, default: 0] += count }
    }
}
