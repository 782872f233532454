/// The tag of a generation in envelopes and origins: a byte string of 8 bytes.
extension CBORReader {
    mutating func generation() throws(CodecError) -> UInt64 {
        let bytes = try packed(elementBytes: 8, countMax: 1)
        guard bytes.count == 8 else { throw .wrongLength }
        return bytes.bigEndian(at: 0)
    }
}

extension CBORWriter {
    mutating func generation(_ tag: UInt64) {
        byteStringHead(count: 8)
        raw(tag)
    }
}
