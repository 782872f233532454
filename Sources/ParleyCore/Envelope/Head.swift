/// The values of an envelope that the register needs.
package struct Head: Sendable, Equatable {
    package let dot: Dot
    package let revision: UInt64
    /// The highest known sequence of each other origin, ascending by origin.
    package let context: [Dot]
    /// The value that settles a tie of revisions whatever the body: `EnvelopeHeader.tieBreak`.
    package let tieBreak: Bytes16
    /// The digest that the proof of the envelope signs.
    package let digest: Bytes32

    package init(dot: Dot, revision: UInt64, context: [Dot], tieBreak: Bytes16, digest: Bytes32) {
        self.dot = dot
        self.revision = revision
        self.context = context
        self.tieBreak = tieBreak
        self.digest = digest
    }
}
