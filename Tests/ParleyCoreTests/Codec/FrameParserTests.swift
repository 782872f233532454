import ParleyCore
import ParleyFaults
import Testing

/// Frames come out of the bytes of a link however those arrive.
@Suite struct FrameParserTests {
    @Test func deliversOneByteAtATime() throws {
        let frames = [
            RawFrame(type: 1, body: Slice([1, 2, 3])),
            RawFrame(type: 200, body: .empty),
            RawFrame(type: 255, body: Slice([UInt8](repeating: 7, count: 300))),
        ]
        var parser = FrameParser()
        var received: [RawFrame] = []
        for byte in stream(frames) {
            parser.append(Slice([byte]))
            received += try drain(&parser)
        }
        #expect(received == frames)
        #expect(parser.bufferedBytes == 0)
    }

    @Test(arguments: 0..<UInt64(200))
    func deliversWhateverTheSplits(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let frames = (0..<30).map { _ in
            RawFrame(
                type: random.type(),
                body: random.slice(0...3_000)
            )
        }
        var rest = stream(frames)[...]
        var parser = FrameParser()
        var received: [RawFrame] = []
        while !rest.isEmpty {
            let count = min(rest.count, random.length(0...6_000))
            parser.append(Slice(Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
            if random.chance(2, in: 3) { received += try drain(&parser) }
        }
        received += try drain(&parser)
        #expect(received == frames, "seed \(seed)")
        #expect(parser.bufferedBytes == 0)
    }

    @Test func wholeFramesAreNotCopied() throws {
        let read = Slice(stream([RawFrame(type: 1, body: Slice([1, 2, 3]))]))
        var parser = FrameParser()
        parser.append(read)
        let frame = try #require(try parser.next(frameBytesMax: 3))
        #expect(frame.body.isPart(of: read))
    }

    @Test func refusesALongFrameAtItsHeader() throws {
        let header: [UInt8] = [0, 0x20, 1, 7]
        var parser = FrameParser()
        parser.append(Slice(Array(header[..<3])))
        #expect(try parser.next(frameBytesMax: 0x2000) == nil)
        parser.append(Slice([7]))
        #expect(throws: CodecError.tooLong) { try parser.next(frameBytesMax: 0x2000) }
        var whole = FrameParser()
        whole.append(Slice(header))
        #expect(throws: CodecError.tooLong) { try whole.next(frameBytesMax: 0x2000) }
        #expect(try whole.next(frameBytesMax: 0x2001) == nil)
    }

    @Test func theLimitIsThatOfTheMoment() throws {
        let frames = [
            RawFrame(type: 1, body: Slice([1])),
            RawFrame(type: 1, body: Slice([UInt8](repeating: 1, count: 100))),
        ]
        var parser = FrameParser()
        parser.append(Slice(stream(frames)))
        #expect(try parser.next(frameBytesMax: 10) == frames[0])
        #expect(try parser.next(frameBytesMax: 100) == frames[1])
        #expect(try parser.next(frameBytesMax: 10) == nil)
    }

    @Test func countsWhatItHolds() throws {
        var parser = FrameParser()
        parser.append(Slice([0, 0, 9, 1, 2]))
        #expect(parser.bufferedBytes == 5)
        #expect(try parser.next(frameBytesMax: 100) == nil)
        #expect(parser.bufferedBytes == 5)
        parser.append(Slice([3, 4]))
        #expect(parser.bufferedBytes == 7)
        #expect(try parser.next(frameBytesMax: 100) == nil)
        parser.append(Slice([5, 6, 7, 8, 9, 10, 0, 0]))
        #expect(try parser.next(frameBytesMax: 100)?.body.count == 9)
        #expect(parser.bufferedBytes == 2)
    }

    @Test func headersRoundTrip() {
        let header = FrameHeader(length: 0x1_0203, type: 0x84)
        var bytes: [UInt8] = [9]
        header.append(to: &bytes)
        #expect(bytes == [9, 1, 2, 3, 0x84])
        #expect(FrameHeader(reading: Slice(bytes), at: 1) == header)
    }

    private func stream(_ frames: [RawFrame]) -> [UInt8] {
        frames.reduce(into: []) { bytes, frame in
            FrameHeader(length: frame.body.count, type: frame.type).append(to: &bytes)
            frame.body.append(to: &bytes)
        }
    }

    private func drain(_ parser: inout FrameParser) throws -> [RawFrame] {
        var frames: [RawFrame] = []
        while let frame = try parser.next(frameBytesMax: Limits.frameBytes) {
            frames.append(frame)
        }
        return frames
    }
}

extension SeededRandom {
    /// The type of any frame but the batch frame, which is returned as other frames.
    fileprivate mutating func type() -> UInt8 {
        let type = UInt8.random(in: 0...255, using: &self)
        return type == BatchFrame.type ? 0 : type
    }
}
