import ParleyCore
import ParleyFaults
import Testing

/// Decoding ends with a value or an error for any bytes, and a value can be written and read
/// again.
@Suite struct CodecFuzzTests {
    @Test(arguments: 0..<UInt64(20))
    func randomBytes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let bytes = Slice(random.bytes(Int.random(in: 0...80, using: &random)))
            try check(bytes, as: FrameType.allCases[Int(random.next() % 17)].rawValue)
        }
    }

    @Test(arguments: 0..<UInt64(20))
    func randomItems(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1_000 {
            var bytes: [UInt8] = []
            random.appendItem(to: &bytes, depth: 0)
            var reader = CBORReader(Slice(bytes))
            #expect(throws: Never.self) { try reader.skip() }
            #expect(reader.position == bytes.count, "seed \(seed)")
            try check(Slice(bytes), as: FrameType.allCases[Int(random.next() % 17)].rawValue)
        }
    }

    @Test(arguments: FrameType.allCases)
    func changedFrames(type: FrameType) throws {
        var random = SeededRandom(seed: UInt64(type.rawValue))
        for _ in 0..<40 {
            var bytes: [UInt8] = []
            random.frame(type).append(to: &bytes)
            bytes.removeFirst(FrameHeader.count)
            for _ in 0..<40 { try check(Slice(random.changed(bytes)), as: type.rawValue) }
        }
    }

    @Test(arguments: 0..<UInt64(20))
    func changedBodies(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bytes = random.body().encoded()
        for _ in 0..<200 {
            let changed = Slice(random.changed(bytes))
            guard
                let body = try Self.value({ () throws(CodecError) in
                    try MessageBody(decoding: changed)
                })
            else { continue }
            #expect(try MessageBody(decoding: Slice(body.encoded())) == body)
        }
    }

    @Test(arguments: 0..<UInt64(20))
    func randomStreams(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            var parser = FrameParser()
            do {
                for _ in 0..<20 {
                    parser.append(random.slice(0...1_000))
                    while let raw = try parser.next(frameBytesMax: 2_000) {
                        #expect(raw.body.count <= 2_000 + Limits.proofDepth * Bytes32.count)
                    }
                }
            } catch {
                #expect([.tooLong, .truncated, .outOfRange].contains(error))
            }
        }
    }

    /// Decodes, and whatever comes out is written and read again.
    private func check(_ bytes: Slice, as type: UInt8) throws {
        let raw = RawFrame(type: type, body: bytes)
        if let frame = try Self.value({ () throws(CodecError) in try Frame(decoding: raw) }),
            let frame
        {
            var written: [UInt8] = []
            frame.append(to: &written)
            let again = RawFrame(
                type: type,
                body: Slice(Array(written[FrameHeader.count...]))
            )
            #expect(try Frame(decoding: again) == frame)
            if case .envelope(let frame) = frame { try checkEnvelope(frame.envelope) }
        }
        try checkEnvelope(bytes)
    }

    private func checkEnvelope(_ bytes: Slice) throws {
        guard
            let envelope = try Self.value({ () throws(CodecError) in
                try Envelope(decoding: bytes)
            })
        else { return }
        let written = Envelope.encode(
            headerBytes: envelope.headerBytes,
            body: envelope.body,
            proof: envelope.proof
        )
        #expect(written == bytes.bytes)
        #expect(try EnvelopeHeader(decoding: Slice(envelope.header.encoded())) == envelope.header)
    }

    /// The value, or nil if it was refused; any error but a `CodecError` would not compile.
    private static func value<Value>(_ read: () throws(CodecError) -> Value) throws -> Value? {
        do {
            return try read()
        } catch {
            return nil
        }
    }
}

extension SeededRandom {
    /// Another array: some bytes changed, taken out, put in, or repeated elsewhere.
    fileprivate mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...3, using: &self) where !changed.isEmpty {
            let near = chance(1, in: 2) ? min(changed.count, 40) : changed.count
            let index = Int.random(in: 0..<near, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: changed[index] = UInt8.random(in: 0...255, using: &self)
            case 1: changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: changed.remove(at: index)
            case 3: changed.insert(UInt8.random(in: 0...255, using: &self), at: index)
            default: changed.removeLast(changed.count - index)
            }
        }
        return changed
    }

    /// A legal item of the encoding.
    fileprivate mutating func appendItem(to bytes: inout [UInt8], depth: Int) {
        let kinds = depth < Limits.codecDepth ? 7 : 5
        var writer = CBORWriter(bytes)
        bytes = []
        switch Int.random(in: 0..<kinds, using: &self) {
        case 0: writer.unsigned(number())
        case 1: writer.signed(Int64(bitPattern: next()) >> Int64(next() % 64))
        case 2: writer.bool(chance(1, in: 2))
        case 3: writer.byteString(slice(0...300))
        case 4: writer.text(text(300))
        case 5:
            let count = Int.random(in: 0...5, using: &self)
            writer.array(count: count)
            bytes = writer.finish()
            for _ in 0..<count { appendItem(to: &bytes, depth: depth + 1) }
            return
        default:
            let keys = Set((0..<5).map { _ in number() }).sorted()
            bytes = writer.finish() + [0xa0 | UInt8(keys.count)]
            for key in keys {
                bytes += Item.number(key)
                appendItem(to: &bytes, depth: depth + 1)
            }
            return
        }
        bytes = writer.finish()
    }
}
