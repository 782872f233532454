/// What a node counted since it started.
package struct NodeFigures: Sendable, Equatable {
    /// Envelopes that peers sent, known ones included.
    package var envelopesReceived: UInt64 = 0
    /// Envelopes sent, each once per link.
    package var envelopesSent: UInt64 = 0
    /// Bytes of those received, as they travelled.
    package var envelopeBytesReceived: UInt64 = 0

    package init() {}
}
