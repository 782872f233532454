/// An element of a stream in a chain of toxics: bytes, or a mark in its place among the bytes.
package enum StreamItem: Hashable, Sendable {
    case bytes(Parcel)
    /// The sender sends nothing more (FIN).
    case end
    /// The connection is closed in both directions, after the bytes before.
    case close
    /// The connection is reset in both directions (RST), with the bytes that are still under way.
    case reset

    var byteCount: Int {
        if case .bytes(let parcel) = self { parcel.bytes.count } else { 0 }
    }
}

/// Bytes of a stream, with the offset of the first one from the begin of the stream.
package struct Parcel: Hashable, Sendable {
    package var bytes: ArraySlice<UInt8>
    package let offset: UInt64

    package init(_ bytes: ArraySlice<UInt8>, at offset: UInt64) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The offset of the byte after the last one.
    var end: UInt64 { offset + UInt64(bytes.count) }

    /// Takes away the first `count` bytes, or all if there are fewer.
    mutating func takeFirst(_ count: Int) -> Parcel {
        let first = Parcel(bytes.prefix(count), at: offset)
        self = Parcel(bytes.dropFirst(count), at: offset + UInt64(first.bytes.count))
        return first
    }
}
