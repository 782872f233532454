import ParleyCore

extension Moment {
    init(milliseconds: Int64) {
        self.init(nanoseconds: milliseconds * 1_000_000)
    }
}

extension SessionTag {
    init(number: UInt64) {
        self.init(Bytes16(number, 0))
    }
}

extension DeviceID {
    init(number: UInt64) {
        self.init(Bytes32(number, 0, 0, 0))
    }
}

extension BlobID {
    init(number: UInt64) {
        self.init(Bytes32(number, 0, 0, 0))
    }
}

extension HaveEntry {
    /// The envelope of writer 0 with a sequence; `content` makes another digest.
    init(_ sequence: UInt64, session: UInt64 = 1, position: UInt64 = 0, content: UInt64 = 0) {
        self.init(
            position: position,
            tag: SessionTag(number: session),
            dot: Dot(0, sequence),
            revision: 1,
            digestPrefix: content
        )
    }
}
