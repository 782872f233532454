import ParleyCore

/// The frames of one send of a node; a send consists of whole frames.
struct SentFrames: Sequence, IteratorProtocol {
    private let bytes: Slice
    private var offset = 0

    init(_ bytes: Slice) { self.bytes = bytes }

    mutating func next() -> RawFrame? {
        guard offset + FrameHeader.count <= bytes.count else { return nil }
        let header = FrameHeader(reading: bytes, at: offset)
        let start = offset + FrameHeader.count
        guard start + header.length <= bytes.count else { return nil }
        offset = start + header.length
        return RawFrame(type: header.type, body: bytes[start..<offset])
    }
}

/// A node's end of a link.
struct LinkEnd: Hashable {
    let node: Int
    let link: LinkID
}
