import ParleyCore
import Testing

/// The first bytes of each side of a connection for a file.
@Suite struct FileOpeningTests {
    private static let request = FileRequest(
        session: SessionUUID(Bytes16(1, 2)),
        offset: 1 << 40,
        proof: Bytes32(3, 4, 5, 6)
    )

    @Test func aRequestIsReadByteByByteAndWhatFollowsIsLeft() throws {
        let bytes = FileOpening.bytes(of: Self.request)
        var opening = FileOpening()
        for byte in bytes.dropLast() { #expect(try opening.add(Slice([byte])) == nil) }
        let end = Slice(Array(bytes.suffix(1)) + [7, 8])
        let (item, rest) = try #require(try opening.add(end))
        #expect(try FileOpening.request(in: item) == Self.request)
        #expect(rest.bytes == [7, 8])
    }

    @Test(arguments: [
        FileAnswer.bytes(ofSize: 1), .bytes(ofSize: Limits.fileBytes), .refused(.unknown),
        .refused(.busy), .refused(.gone), .refused(.tooFar),
    ])
    func answersAreReadAsWritten(answer: FileAnswer) throws {
        var opening = FileOpening()
        let found = try opening.add(Slice(FileOpening.bytes(of: answer)))
        #expect(try FileOpening.answer(in: try #require(found).item) == answer)
    }

    /// Whoever declares a long item is refused before anything is kept for it.
    @Test func longItemsAreRefused() throws {
        var opening = FileOpening()
        #expect(throws: CodecError.tooLong) { try opening.add(Slice([1, 1])) }
    }

    @Test func otherItemsAreNoRequests() throws {
        let answer = FileOpening.bytes(of: .bytes(ofSize: 5)).dropFirst(2)
        #expect(throws: CodecError.self) { try FileOpening.request(in: Slice(Array(answer))) }
    }
}
