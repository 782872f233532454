extension Frame {
    /// Reads a frame; nil for an unknown even type, which a reader ignores.
    ///
    /// - Throws: `.unknownKind` for an unknown odd type, otherwise the fault of the body.
    package init?(decoding raw: RawFrame) throws(CodecError) {
        guard let type = FrameType(rawValue: raw.type) else {
            guard raw.type.isMultiple(of: 2) else { throw .unknownKind(raw.type) }
            return nil
        }
        guard type != .envelope else {
            self = .envelope(try EnvelopeFrame(decoding: raw.body))
            return
        }
        var reader = CBORReader(raw.body)
        try self.init(type, from: &reader)
        try reader.finish()
    }

    /// Appends the frame with its header.
    package func append(to buffer: inout [UInt8]) {
        if case .envelope(let frame) = self {
            frame.append(to: &buffer)
            return
        }
        let start = buffer.count
        FrameHeader(length: 0, type: type.rawValue).append(to: &buffer)
        var writer = CBORWriter(buffer)
        buffer = []
        writeBody(to: &writer)
        buffer = writer.finish()
        FrameHeader.setLength(of: &buffer, from: start)
    }

    /// The type of this frame.
    package var type: FrameType {
        switch self {
        case .hello: .hello
        case .goodbye: .goodbye
        case .conversations: .conversations
        case .envelope: .envelope
        case .stored: .stored
        case .feed: .feed
        case .have: .have
        case .want: .want
        case .blobWant: .blobWant
        case .blobChunk: .blobChunk
        case .audit: .audit
        case .credit: .credit
        case .ping: .ping
        case .pong: .pong
        case .peers: .peers
        case .pairing: .pairing
        case .origin: .origin
        case .spare: .spare
        case .signal: .signal
        case .members: .members
        case .receipts: .receipts
        case .knock: .knock
        }
    }

    private init(
        _ type: FrameType,
        from reader: inout CBORReader
    ) throws(CodecError) {
        switch type {
        case .envelope: throw .wrongType
        case .ping: self = .ping(try SingleNumber(from: &reader).number)
        case .pong: self = .pong(try SingleNumber(from: &reader).number)
        case .hello: self = .hello(try Hello(from: &reader))
        case .goodbye: self = .goodbye(try Goodbye(from: &reader))
        case .conversations: self = .conversations(try ConversationTags(from: &reader))
        case .stored: self = .stored(try Stored(from: &reader))
        case .feed: self = .feed(try FeedRequest(from: &reader))
        case .have: self = .have(try HaveList(from: &reader))
        case .want: self = .want(try WantList(from: &reader))
        case .blobWant: self = .blobWant(try BlobWant(from: &reader))
        case .blobChunk: self = .blobChunk(try BlobChunk(from: &reader))
        case .audit: self = .audit(try Audit(from: &reader))
        case .credit: self = .credit(try Credit(from: &reader))
        case .peers: self = .peers(try PeerAddresses(from: &reader))
        case .pairing: self = .pairing(try PairingFrame(from: &reader))
        case .origin: self = .origin(try OriginFrame(from: &reader))
        case .spare: self = .spare(try SingleNumber(from: &reader).flag())
        case .signal: self = .signal(try SignalFrame(from: &reader))
        case .members: self = .members(try MembersFrame(from: &reader))
        case .receipts: self = .receipts(try ReceiptsFrame(from: &reader))
        case .knock: self = .knock(try KnockFrame(from: &reader))
        }
    }

    private func writeBody(to writer: inout CBORWriter) {
        switch self {
        case .envelope: preconditionFailure("the body of an envelope frame is not one item")
        case .ping(let number), .pong(let number): SingleNumber(number).write(to: &writer)
        case .hello(let body): body.write(to: &writer)
        case .goodbye(let body): body.write(to: &writer)
        case .conversations(let body): body.write(to: &writer)
        case .stored(let body): body.write(to: &writer)
        case .feed(let body): body.write(to: &writer)
        case .have(let body): body.write(to: &writer)
        case .want(let body): body.write(to: &writer)
        case .blobWant(let body): body.write(to: &writer)
        case .blobChunk(let body): body.write(to: &writer)
        case .audit(let body): body.write(to: &writer)
        case .credit(let body): body.write(to: &writer)
        case .peers(let body): body.write(to: &writer)
        case .pairing(let body): body.write(to: &writer)
        case .origin(let body): body.write(to: &writer)
        case .spare(let isSpare): SingleNumber(isSpare ? 1 : 0).write(to: &writer)
        case .signal(let body): body.write(to: &writer)
        case .members(let body): body.write(to: &writer)
        case .receipts(let body): body.write(to: &writer)
        case .knock(let body): body.write(to: &writer)
        }
    }
}

/// The body of a frame that has only a number.
private struct SingleNumber: CBORMap {
    let number: UInt64

    init(_ number: UInt64) { self.number = number }

    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        number = try map.field(1) { $0.number }
    }

    /// The number as a flag, 0 or 1.
    func flag() throws(CodecError) -> Bool {
        guard number <= 1 else { throw .outOfRange }
        return number == 1
    }
}
