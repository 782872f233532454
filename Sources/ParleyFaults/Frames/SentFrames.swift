package import ParleyCore

/// The whole frames of one send; a node sends whole frames only.
///
/// The frames are read in place, as most checkers look at each send and a `FrameParser` allocates.
package struct SentFrames: Sequence, IteratorProtocol {
    private let bytes: Slice
    private var offset = 0
    private var batch: BatchFrame?

    package init(_ bytes: Slice) { self.bytes = bytes }

    package mutating func next() -> RawFrame? {
        while true {
            // Only a later version or a Byzantine writer sends a batch that throws.
            if let envelope = try? batch?.next() { return envelope }
            batch = nil
            guard offset + FrameHeader.count <= bytes.count else { return nil }
            let header = FrameHeader(reading: bytes, at: offset)
            let start = offset + FrameHeader.count
            offset = start + header.length
            guard offset <= bytes.count else { return nil }
            let body = bytes[start..<offset]
            guard header.type == BatchFrame.type else {
                return RawFrame(type: header.type, body: body)
            }
            batch = try? BatchFrame(decoding: body)
        }
    }
}

/// A node's end of a link.
struct LinkEnd: Hashable {
    let node: Int
    let link: LinkID
}
