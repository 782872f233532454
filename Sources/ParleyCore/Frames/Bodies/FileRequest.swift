/// The first bytes of a connection for a file, by the node that opened it.
package struct FileRequest: Sendable, Equatable {
    /// The session of the message that offers the file.
    package let session: SessionUUID
    /// The number of bytes that the sender has already.
    package let offset: UInt64
    /// `ConversationKeys.fileProof` of this connection.
    package let proof: Bytes32

    package init(session: SessionUUID, offset: UInt64, proof: Bytes32) {
        self.session = session
        self.offset = offset
        self.proof = proof
    }
}

/// The answer to a request for a file.
package enum FileAnswer: Sendable, Equatable {
    /// Why a node sends no bytes.
    package enum Refusal: UInt64, Sendable {
        /// The node offers no such file to the sender of this proof.
        case unknown = 1
        /// The node serves as many files as it can; the request may be repeated.
        case busy = 2
        /// The file cannot be read any more.
        case gone = 3
        /// The file has fewer bytes than the sender has already.
        case tooFar = 4
    }

    /// The bytes from the offset on follow; the whole file has so many.
    case bytes(ofSize: UInt64)
    case refused(Refusal)
}

extension FileRequest: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        session = try map.field(1) { $0.session }
        offset = try map.field(3, in: 0...Limits.fileBytes) { $0.offset }
        proof = try map.field(5) { $0.proof }
    }
}

extension FileAnswer: CBORMap {
    /// Reads or writes an answer; an unknown refusal reads as `gone`.
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        let refusal = try map.field(1) { $0.refusal }
        let size = try map.field(3, in: 0...Limits.fileBytes) { $0.size }
        self = refusal == 0 ? .bytes(ofSize: size) : .refused(Refusal(rawValue: refusal) ?? .gone)
    }

    /// The number of the refusal, or 0.
    private var refusal: UInt64 {
        if case .refused(let refusal) = self { refusal.rawValue } else { 0 }
    }

    /// The size of the whole file, or 0.
    private var size: UInt64 {
        if case .bytes(let size) = self { size } else { 0 }
    }
}

/// The one message that each side of a connection for a file begins with: `u16 length · item`.
package struct FileOpening: Sendable {
    private var bytes: [UInt8] = []

    /// The longest item that a reader takes.
    private static let itemBytesMax = 256

    package init() {}

    /// Appends bytes of the peer; returns the item and what follows it, once it is complete.
    ///
    /// - Throws: `tooLong` for an item beyond the limit.
    package mutating func add(_ more: Slice) throws(CodecError) -> (item: Slice, rest: Slice)? {
        bytes += more.bytes
        guard bytes.count >= 2 else { return nil }
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        guard count <= Self.itemBytesMax else { throw .tooLong }
        guard bytes.count >= 2 + count else { return nil }
        defer { bytes = [] }
        return (Slice(Array(bytes[2..<2 + count])), Slice(Array(bytes[(2 + count)...])))
    }

    /// The bytes of a request.
    package static func bytes(of request: FileRequest) -> [UInt8] { framed(request) }

    /// The bytes of an answer.
    package static func bytes(of answer: FileAnswer) -> [UInt8] { framed(answer) }

    /// Reads an item as a request.
    package static func request(in item: Slice) throws(CodecError) -> FileRequest {
        try FileRequest(item: item)
    }

    /// Reads an item as an answer.
    package static func answer(in item: Slice) throws(CodecError) -> FileAnswer {
        try FileAnswer(item: item)
    }

    private static func framed(_ body: some CBORItem) -> [UInt8] {
        let item = body.itemBytes
        return [UInt8(item.count >> 8), UInt8(item.count & 0xff)] + item
    }
}
