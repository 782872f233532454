extension Refusal {
    var goodbye: GoodbyeReason {
        switch self {
        case .malformed, .unexpected, .contradictory: .malformed
        case .uncertified, .badCertificate, .badProof, .badBlob: .forged
        case .overLimit: .overLimit
        case .incompatible: .incompatible
        }
    }

    /// The refusal in words, for the peer's log and ours.
    package var sentence: String {
        switch self {
        case .malformed(let error): "bytes that are not of this protocol: \(error)"
        case .unexpected(let type): "a frame of type \(type) that may not come now"
        case .uncertified: "an envelope by an origin without a certificate"
        case .badCertificate: "a certificate that the conversation's write key did not sign"
        case .badProof: "a proof or signature that does not hold"
        case .badBlob: "a blob whose hash is not its name"
        case .contradictory(let what): "contradicts an earlier frame: \(what)"
        case .overLimit(let what): "over a limit: \(what)"
        case .incompatible(let versions):
            "speaks wire versions \(versions.lowerBound) to \(versions.upperBound), "
                + "needed is \(NodeConfiguration.spoken.upperBound)"
        }
    }
}
