/// A whole frame with an undecoded body.
package struct RawFrame: Sendable, Equatable {
    package let type: UInt8
    package let body: Slice

    package init(type: UInt8, body: Slice) {
        self.type = type
        self.body = body
    }
}

extension RawFrame {
    /// The sender's number of the conversation of a frame with envelopes.
    func conversation() throws(Refusal) -> UInt32 {
        guard body.count >= 4 else { throw .malformed(.truncated) }
        return body.bigEndian(at: 0)
    }

    /// Whether the frame carries one envelope, or several.
    var hasEnvelopes: Bool { type == FrameType.envelope.rawValue || type == BatchFrame.type }

    /// The frame; nil if the type is unknown and may be ignored.
    func frame() throws(Refusal) -> Frame? {
        do throws(CodecError) { return try Frame(decoding: self) } catch {
            throw .malformed(error)
        }
    }
}
