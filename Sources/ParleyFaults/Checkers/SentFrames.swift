import ParleyCore

/// The frames of one send of a node, which consists of whole frames.
struct SentFrames: Sequence, IteratorProtocol {
    private var parser = FrameParser()

    init(_ bytes: Slice) { parser.append(bytes) }

    mutating func next() -> RawFrame? {
        // Only valid frames are sent.
        try? parser.next(frameBytesMax: Limits.frameBytes)
    }
}

/// A node's end of a link.
struct LinkEnd: Hashable {
    let node: Int
    let link: LinkID
}
