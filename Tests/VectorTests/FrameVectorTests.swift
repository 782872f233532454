import ParleyCore
import Testing

/// `Tests/Vectors/frames.json`: one frame of every kind.
@Suite struct FrameVectorTests {
    private let world = World()

    @Test func reproducesTheFile() throws {
        let computed = try FrameVectors(world)
        let stored = try VectorFile<FrameVectors>(name: "frames.json").read(writing: computed)
        for (left, right) in zip(stored.frames, computed.frames) { #expect(left == right) }
        #expect(stored.frames.count == computed.frames.count)
        #expect(stored.refused == computed.refused)
        #expect(stored.batch == computed.batch)
    }

    @Test func hasEveryKind() throws {
        let types = Set(try FrameVectors(world).frames.map(\.type))
        #expect(types == Set(FrameType.allCases.map(\.rawValue)))
    }

    @Test func itemsAndBytesAgree() throws {
        for vector in try FrameVectors(world).frames {
            guard let item = vector.body else { continue }
            let body = try item.encoded()
            var frame: [UInt8] = []
            FrameHeader(length: body.count, type: vector.type).append(to: &frame)
            #expect(Hexadecimal.text(frame + body) == vector.bytes, "\(vector.name)")
        }
    }

    /// What is over a limit can be read, and `NodeVectorTests` has it refused.
    @Test func malformedFramesAreRefused() throws {
        for vector in try FrameVectors(world).refused where vector.goodbye == "malformed" {
            let body = Slice(try bytes(vector.bytes).dropFirst(FrameHeader.count).map { $0 })
            #expect(throws: CodecError.self, "\(vector.name)") {
                try Frame(decoding: RawFrame(type: vector.type, body: body))
            }
        }
    }

    @Test func aBatchIsReadAsItsEnvelopes() throws {
        let batch = try FrameVectors(world).batch
        let vectors = try EnvelopeVectors(world)
        var parser = FrameParser()
        parser.append(Slice(try bytes(batch.bytes)))
        for member in batch.envelopes {
            let raw = try #require(try parser.next(frameBytesMax: Limits.frameBytes))
            let frame = EnvelopeFrame(
                conversation: member.prefix.conversation,
                hops: member.prefix.hops,
                position: member.prefix.position,
                envelope: Slice(try bytes(vectors.envelopes[member.envelope].envelope))
            )
            #expect(try Frame(decoding: raw) == .envelope(frame))
        }
        #expect(try parser.next(frameBytesMax: Limits.frameBytes) == nil)
    }

    @Test func framesAreRead() throws {
        for sample in try SampleFrame.all(world) {
            var written: [UInt8] = []
            sample.frame.append(to: &written)
            var parser = FrameParser()
            parser.append(Slice(written))
            let raw = try #require(try parser.next(frameBytesMax: Limits.frameBytes))
            #expect(try Frame(decoding: raw) == sample.frame, "\(sample.name)")
        }
    }
}
