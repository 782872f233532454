import Foundation
import ParleyCore
import ParleyKeys
import ParleyNode
import TestSupport
import Testing

/// What a node that offers a file answers to whoever asks for it.
@Suite(.timeLimit(.minutes(5)))
struct FileAskerTests {
    private static let bytes = FilePair.bytes(5_000_000)

    /// A pair with an offered file, and what somebody needs to ask for it.
    private struct Offered {
        let pair: FilePair
        let session: SessionUUID
        let address: String
        /// K, as whoever reads the specification finds it in an invite.
        let readKey: Bytes32

        init(offering: (inout NodeSettings) -> Void = { _ in }) async throws {
            pair = try await FilePair(offering: offering)
            session = try await pair.offer(bytes).core
            address = try #require(try await pair.one.status().addresses.first)
            let link = try await pair.one.invite(to: "games", role: .reader).link
            readKey = try #require(try InviteLink(parsing: link).capability.readKey)
        }

        /// Asks for the file, or for another one, with the right key or another one.
        func ask(
            at offset: UInt64 = 0,
            session: SessionUUID? = nil,
            key: Bytes32? = nil
        ) throws -> FileAsker {
            let (session, key) = (session ?? self.session, key ?? readKey)
            return try FileAsker(at: address) {
                FileAsker.request(session, at: offset, readKey: key, $0)
            }
        }
    }

    private func answer(of asker: FileAsker) async throws -> FileAnswer {
        try await eventually("an answer") { asker.answer }
    }

    @Test func aReaderGetsTheRestOfTheFile() async throws {
        let offered = try await Offered()
        let asker = try offered.ask(at: 4_000_000)
        #expect(try await answer(of: asker) == .bytes(ofSize: 5_000_000))
        try await eventually("the rest") { asker.received.count == 1_000_000 }
        #expect(Data(asker.received) == Self.bytes.suffix(1_000_000))
        asker.stop()
        await offered.pair.stop()
    }

    /// Whoever has no right learns nothing: a wrong proof and an unknown session look the same.
    @Test func othersGetNothing() async throws {
        let offered = try await Offered()
        let askers = [
            try offered.ask(key: Bytes32(1, 2, 3, 4)),
            try offered.ask(session: SessionUUID(Bytes16(1, 2))),
        ]
        for asker in askers {
            #expect(try await answer(of: asker) == .refused(.unknown))
            try await eventually("the end") { asker.isOver }
            #expect(asker.received.isEmpty)
        }
        await offered.pair.stop()
    }

    /// The proof of another connection is of no use.
    @Test func aProofIsOfOneConnection() async throws {
        let offered = try await Offered()
        let (session, key) = (offered.session, offered.readKey)
        let asker = try FileAsker(at: offered.address) { _ in
            FileAsker.request(session, at: 0, readKey: key, Bytes32(1, 2, 3, 4))
        }
        #expect(try await answer(of: asker) == .refused(.unknown))
        await offered.pair.stop()
    }

    @Test func nothingLiesBeyondTheEnd() async throws {
        let offered = try await Offered()
        for offset in [5_000_000, Limits.fileBytes] {
            let asker = try offered.ask(at: offset)
            #expect(try await answer(of: asker) == .refused(.tooFar))
        }
        await offered.pair.stop()
    }

    @Test(arguments: [[0xff, 0xff], [0, 1, 0xa0], [0, 3, 1, 2, 3]] as [[UInt8]])
    func whatIsNoRequestEndsTheConnection(bytes: [UInt8]) async throws {
        let offered = try await Offered()
        let asker = try FileAsker(at: offered.address) { _ in bytes }
        try await eventually("the end") { asker.isOver }
        #expect(asker.answer == nil)
        await offered.pair.stop()
    }

    @Test func whoAsksForNothingIsNotAwaited() async throws {
        let offered = try await Offered { $0.fileLimits.opening = .milliseconds(50) }
        let asker = try FileAsker(at: offered.address) { _ in [0] }
        try await eventually("the end") { asker.isOver }
        await offered.pair.stop()
    }

    @Test func aBlockedDeviceGetsNothing() async throws {
        let offered = try await Offered()
        let two = try await offered.pair.two.status().device
        _ = try await offered.pair.one.list(two, .blocked)
        _ = try await offered.pair.two.acceptFile(of: SessionID(offered.session), in: "games")
        _ = try await offered.pair.await(.waiting, of: SessionID(offered.session))
        // Several attempts fail in this time.
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await offered.pair.state(of: SessionID(offered.session)).done == 0)
        await offered.pair.stop()
    }
}
