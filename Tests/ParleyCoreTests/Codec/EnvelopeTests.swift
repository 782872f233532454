import ParleyCore
import ParleyFaults
import Testing

/// An envelope is three items whose bytes are kept as they came.
@Suite struct EnvelopeTests {
    private let cryptography = SimulatedCryptography(seed: 1)
    private let conversation = ConversationID(Bytes32(1, 2, 3, 4))

    @Test(arguments: 0..<UInt64(100))
    func partsComeBackInPlace(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let header = random.header()
        let headerBytes = Slice(header.encoded())
        let body = random.slice(0...30_000)
        let proof = random.proof()
        let encoded = Envelope.encode(headerBytes: headerBytes, body: body, proof: proof)
        let bytes = Slice([0] + encoded + [0])[1..<encoded.count + 1]
        let envelope = try Envelope(decoding: bytes)
        #expect(envelope.header == header)
        #expect(envelope.headerBytes == headerBytes)
        #expect(envelope.headerBytes.isPart(of: bytes))
        #expect(envelope.body == body)
        #expect(envelope.body.isPart(of: bytes))
        #expect(envelope.proof == proof)
        #expect(envelope.bytes == bytes)
        for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 50)) {
            #expect(throws: CodecError.truncated) { try Envelope(decoding: bytes[0..<count]) }
        }
    }

    @Test func hasALimitAndNothingBehind() throws {
        let header = HeaderParts().bytes
        let signature: [UInt8] = [0x82, 1] + Item.bytes([UInt8](repeating: 0, count: 64))
        let room = Limits.envelopeBytes - header.count - signature.count - 3
        let most = header + Item.bytes([UInt8](repeating: 0, count: room)) + signature
        #expect(try Envelope(decoding: Slice(most)).body.count == room)
        let more = header + Item.bytes([UInt8](repeating: 0, count: room + 1)) + signature
        #expect(throws: CodecError.tooLong) { try Envelope(decoding: Slice(more)) }
        let short = header + Item.bytes([]) + signature
        #expect(throws: CodecError.trailingBytes) { try Envelope(decoding: Slice(short + [0])) }
        #expect(throws: CodecError.wrongType) {
            try Envelope(decoding: Slice(header + Item.text("") + signature))
        }
    }

    @Test func digestCoversConversationHeaderAndBody() {
        let header = Slice([1, 2, 3])
        let body = Slice([4, 5])
        let digest = digest(header, body, conversation)
        var hashed = Array("parley envelope 2".utf8) + conversation.bytes
        hashed += [1, 2, 3] + Item.bytes([4, 5])
        #expect(digest == cryptography.sha256(hashed))
        #expect(digest != self.digest(Slice([1, 2]), Slice([3, 4, 5]), conversation))
        #expect(digest != self.digest(header, body, ConversationID(.zero)))
    }

    @Test func headsHaveWhatTheRegisterNeeds() throws {
        var random = SeededRandom(seed: 3)
        let envelope = try Envelope(decoding: random.envelope())
        let head = envelope.head(in: conversation, using: cryptography)
        #expect(head.dot == envelope.header.dot)
        #expect(head.revision == envelope.header.revision)
        #expect(head.context == envelope.header.context)
        #expect(head.digest == digest(envelope.headerBytes, envelope.body, conversation))
        #expect(head.tieBreak == envelope.header.tieBreak)
    }

    @Test(arguments: [
        (UInt64(1), Bytes16(0x1fff_ffff_ffff_fffe, 0x1fff_ffff_ffff_fff0)),
        (UInt64(4), Bytes16(0xffff_ffff_ffff_fff0, 0xffff_ffff_ffff_ff80)),
        (UInt64(64), Bytes16(0x0fff_ffff_ffff_fff8, 0x0fff_ffff_ffff_ffff)),
        (UInt64(127), Bytes16(0x07ff_ffff_ffff_ffff, 0x87ff_ffff_ffff_fffc)),
        (UInt64(128), Bytes16(0x0fff_ffff_ffff_ffff, 0x0fff_ffff_ffff_fff8)),
    ])
    func tiesTurnWithTheRevision(_ revision: UInt64, _ tieBreak: Bytes16) {
        let header = EnvelopeHeader(
            tag: SessionTag(Bytes16(0x0f0f_0f0f_0f0f_0f0f, 0xf0)),
            dot: Dot(
                origin: OriginID(Bytes16(0x00f0_f0f0_f0f0_f0f0, 0x0fff_ffff_ffff_ff08)),
                sequence: 1
            ),
            revision: revision
        )
        #expect(header.tieBreak == tieBreak)
    }

    @Test func sealingCoversConversationAndHeader() {
        let data = Envelope.associatedData(
            conversation: conversation,
            headerBytes: Slice([1, 2])
        )
        #expect(data == conversation.bytes + [1, 2])
    }

    private func digest(
        _ header: Slice,
        _ body: Slice,
        _ conversation: ConversationID
    ) -> Bytes32 {
        Envelope.digest(
            headerBytes: header,
            body: body,
            in: conversation,
            using: cryptography
        )
    }
}
