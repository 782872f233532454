/// What the register needs to know of an envelope.
package struct Head: Sendable, Equatable {
    package let dot: Dot
    package let revision: UInt64
    /// For other origins the highest sequence that the author had seen, ascending by origin.
    package let context: [Dot]
    /// SHA-256(tag ‖ context ‖ origin): settles ties in a way that content cannot steer.
    package let tieBreak: Bytes32
    /// The digest that the envelope's proof is over.
    package let digest: Bytes32

    package init(dot: Dot, revision: UInt64, context: [Dot], tieBreak: Bytes32, digest: Bytes32) {
        self.dot = dot
        self.revision = revision
        self.context = context
        self.tieBreak = tieBreak
        self.digest = digest
    }
}
