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
    /// The envelope that the frame carries.
    func envelope() throws(Refusal) -> (frame: EnvelopeFrame, Envelope) {
        do throws(CodecError) {
            let frame = try EnvelopeFrame(decoding: body)
            return (frame, try Envelope(decoding: frame.envelope))
        } catch {
            throw .malformed(error)
        }
    }

    /// The frame; nil if the type is unknown and may be ignored.
    func frame() throws(Refusal) -> Frame? {
        do throws(CodecError) { return try Frame(decoding: self) } catch {
            throw .malformed(error)
        }
    }
}
