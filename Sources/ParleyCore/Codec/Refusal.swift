/// Why something from a peer was refused; decided by bytes and certificates alone.
package enum Refusal: Error, Sendable, Equatable {
    case malformed(CodecError)
    /// A frame of a type that is not allowed at this moment.
    case unexpected(UInt8)
    /// An envelope by an origin that nobody certified.
    case uncertified
    /// A certificate that the conversation's write key did not sign.
    case badCertificate
    /// A signature or path that does not lead to the envelope.
    case badProof
    /// A blob whose hash is not its name.
    case badBlob
    /// Something that contradicts an earlier frame of the peer on the same link.
    case contradictory(String)
    /// More than the protocol or the peer's credit allows.
    case overLimit(String)
    case incompatible(ClosedRange<UInt64>)
}
