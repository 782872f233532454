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

extension SignalFrame: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        origin = try map.field(3) { $0.origin }
        counter = try map.field(5, in: 1...Limits.sequenceEnd - 1) { $0.counter }
        hops = try map.field(7) { $0.hops }
        sealed = try map.bytes(9, lengthMax: Limits.signalBytes) { $0.sealed }
        signature = try map.field(11) { $0.signature }
    }
}
