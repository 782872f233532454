/// A signal on a link.
package struct SignalFrame: Sendable, Equatable {
    /// The sender's number of the conversation.
    package var conversation: UInt32
    package let origin: OriginID
    /// A number that is higher than that of any signal of the origin before.
    package let counter: UInt64
    /// The links that the signal crossed before this one.
    package var hops: UInt8
    /// The content, sealed for those who can read the conversation.
    package let sealed: Slice
    /// The author's signature over `signedBytes`.
    package let signature: Signature

    /// A signal with the name `dot`.
    package init(
        conversation: UInt32,
        dot: Dot,
        hops: UInt8 = 0,
        sealed: Slice,
        signature: Signature
    ) {
        self.conversation = conversation
        origin = dot.origin
        counter = dot.sequence
        self.hops = hops
        self.sealed = sealed
        self.signature = signature
    }

    package var dot: Dot { Dot(origin: origin, sequence: counter) }

    /// What sealing authenticates, and the beginning of what the author signs: "parley signal 1" ‖
    /// conversation ID ‖ origin ‖ u64 counter.
    package static func prefix(of dot: Dot, in conversation: ConversationID) -> [UInt8] {
        var bytes = Array("parley signal 1".utf8) + conversation.bytes
        dot.appendPacked(to: &bytes)
        return bytes
    }

    /// The bytes that the author signs: the prefix and the sealed content.
    package func signedBytes(in conversation: ConversationID) -> [UInt8] {
        Self.prefix(of: dot, in: conversation) + sealed.bytes
    }
}

extension SignalFrame: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        origin = try reader.fixed()
        try reader.require(5, in: &map)
        counter = try reader.unsigned(in: 1...Limits.sequenceEnd - 1)
        try reader.require(7, in: &map)
        hops = UInt8(try reader.unsigned(in: 0...UInt64(UInt8.max)))
        try reader.require(9, in: &map)
        sealed = try reader.byteString(lengthMax: Limits.signalBytes)
        try reader.require(11, in: &map)
        signature = try reader.signature()
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.fixed(origin)
        writer.key(5, in: &map)
        writer.unsigned(counter)
        writer.key(7, in: &map)
        writer.unsigned(UInt64(hops))
        writer.key(9, in: &map)
        writer.byteString(sealed)
        writer.key(11, in: &map)
        writer.signature(signature)
        writer.closeMap(map)
    }
}
