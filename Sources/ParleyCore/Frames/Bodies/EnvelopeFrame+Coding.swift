extension EnvelopeFrame {
    /// Reads the prefix; the envelope stays a slice of `body`.
    package init(decoding body: Slice) throws(CodecError) {
        guard body.count >= Self.prefixBytes else { throw .truncated }
        let hopsAndZero: UInt32 = body.bigEndian(at: 4)
        guard hopsAndZero & 0xff_ffff == 0 else { throw .outOfRange }
        guard body.count <= Self.prefixBytes + Limits.envelopeBytes else { throw .tooLong }
        conversation = body.bigEndian(at: 0)
        hops = UInt8(hopsAndZero >> 24)
        (position, isAwaited) = try FeedPosition.read(body.bigEndian(at: 8))
        envelope = body[Self.prefixBytes..<body.count]
    }

    /// Appends the bytes in front of the envelope: the header of the frame and the prefix.
    package static func appendPrefix(
        to buffer: inout [UInt8],
        conversation: UInt32,
        hops: UInt8,
        position: UInt64,
        isAwaited: Bool = false,
        envelopeCount: Int
    ) {
        FrameHeader(length: prefixBytes + envelopeCount, type: FrameType.envelope.rawValue)
            .append(to: &buffer)
        buffer.appendBigEndian(conversation)
        buffer.appendBigEndian(UInt32(hops) << 24)
        buffer.appendBigEndian(FeedPosition.written(position, isAwaited: isAwaited))
    }

    /// Appends the frame with its header.
    package func append(to buffer: inout [UInt8]) {
        Self.appendPrefix(
            to: &buffer,
            conversation: conversation,
            hops: hops,
            position: position,
            isAwaited: isAwaited,
            envelopeCount: envelope.count
        )
        envelope.append(to: &buffer)
    }
}
