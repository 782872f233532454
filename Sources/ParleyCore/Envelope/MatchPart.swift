/// A secret for one participant of a turn game, which the others carry along and cannot read.
package struct MatchPart: Sendable, Equatable {
    /// The seat of whom it is for.
    package var to: Int
    /// The seat of who sealed it.
    package var by: Int
    /// The public key of a pair that was made for this part alone.
    package var key: Bytes32
    /// Nonce, ciphertext and tag, at most `Limits.partBytes`, or none if nothing could be sealed;
    /// in a message that is kept to judge the next one, their hash.
    package var sealed: Slice

    package init(to: Int, by: Int, key: Bytes32, sealed: Slice) {
        self.to = to
        self.by = by
        self.key = key
        self.sealed = sealed
    }
}

extension MatchPart: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 4)
        to = try reader.seat()
        by = try reader.seat()
        key = try reader.fixed()
        sealed = try reader.byteString(lengthMax: Limits.partBytes)
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 4)
        writer.unsigned(UInt64(to))
        writer.unsigned(UInt64(by))
        writer.fixed(key)
        writer.byteString(sealed)
    }
}

extension MatchState {
    /// The state with hashes in place of sealed bytes, which are long.
    func condensed(using crypto: some Cryptography) -> MatchState {
        guard !parts.isEmpty else { return self }
        var state = self
        for index in parts.indices {
            state.parts[index].sealed = Slice(crypto.sha256(parts[index].sealed).bytes)
        }
        return state
    }
}
