import Foundation
import ParleyNode
import TestSupport
import Testing

/// Files between two real nodes.
@Suite(.timeLimit(.minutes(5)))
struct FileNodesTests {
    @Test func aFileGoesFromDeviceToDeviceOnceItIsAccepted() async throws {
        let pair = try await FilePair()
        let bytes = FilePair.bytes(20_000_001)
        let session = try await pair.offer(bytes)
        let offered = try await pair.state(of: session)
        #expect(offered.state == .offered && !offered.isMine)
        #expect(offered.file.name == "film.mkv" && offered.file.bytes == bytes.count)
        #expect(try await pair.two.fileURL(of: session, in: "games") == nil)
        #expect(pair.kept().isEmpty)

        let log = EventLog(await pair.two.events())
        #expect(try await pair.two.acceptFile(of: session, in: "games").state == .waiting)
        _ = try await pair.await(.here, of: session)
        let file = try #require(try await pair.two.fileURL(of: session, in: "games"))
        #expect(try Data(contentsOf: file) == bytes)
        #expect(pair.kept() == [session.description: bytes.count])
        try await log.await("the end") { event in
            if case .file(let transfer) = event { transfer.state == .here } else { false }
        }
        let mine = try await pair.one.fileTransfer(of: session, in: "games")
        #expect(mine.state == .here && mine.isMine)
        #expect(try await pair.one.fileTransfers() == [mine])
        let mode = try FileManager.default.attributesOfItem(
            atPath: file.deletingLastPathComponent().path
        )[.posixPermissions]
        #expect(mode as? Int == 0o700)
        await pair.stop()
    }

    /// The offer tells the port, as nobody knows an address of who has only dialled.
    @Test func whoHasOnlyDialledIsReachedToo() async throws {
        let pair = try await FilePair()
        let session = try await pair.offerBack(FilePair.bytes(5_000_000))
        _ = try await pair.one.acceptFile(of: session, in: "games")
        try await eventually("the file") {
            try await pair.one.fileTransfer(of: session, in: "games").state == .here
        }
        await pair.stop()
    }

    @Test func aCutTransferGoesOnWhereItWas() async throws {
        let pair = try await FilePair()
        let bytes = FilePair.bytes(20_000_000)
        let session = try await pair.offer(bytes)
        pair.proxy.limit(to: 6_000_000, .cut)
        _ = try await pair.two.acceptFile(of: session, in: "games")
        _ = try await pair.await(.here, of: session)
        let file = try #require(try await pair.two.fileURL(of: session, in: "games"))
        #expect(try Data(contentsOf: file) == bytes)
        // What was on its way when the connections were cut came twice, and no more.
        #expect(pair.proxy.brought < 36_000_000)
        await pair.stop()
    }

    @Test func aTransferOutlivesARestart() async throws {
        let pair = try await FilePair()
        let bytes = FilePair.bytes(20_000_000)
        let session = try await pair.offer(bytes)
        pair.proxy.limit(to: 8_000_000, .held)
        _ = try await pair.two.acceptFile(of: session, in: "games")
        try await eventually("a part") {
            try await pair.state(of: session).done > 4_000_000
        }
        await pair.two.stop()
        let part = try #require(pair.kept()["\(session).part"])
        #expect(part > 4_000_000 && part < bytes.count)
        pair.proxy.limit(to: .max, .cut)
        let before = pair.proxy.brought
        try await pair.restartTwo()
        _ = try await pair.await(.here, of: session)
        #expect(pair.proxy.brought - before < bytes.count - part + 1_000_000)
        let file = try #require(try await pair.two.fileURL(of: session, in: "games"))
        #expect(try Data(contentsOf: file) == bytes)
        // Both know it again after the next start, too.
        try await pair.restartTwo()
        #expect(try await pair.state(of: session).state == .here)
        await pair.stop()
    }

    @Test func aDamagedFileIsThrownAway() async throws {
        let pair = try await FilePair()
        let bytes = FilePair.bytes(5_000_000)
        let session = try await pair.offer(bytes)
        let kept = pair.nodes.root.appending(path: "one/files/\(session)")
        try (bytes.dropLast() + [bytes.last.map { $0 ^ 1 } ?? 0]).write(to: kept)
        _ = try await pair.two.acceptFile(of: session, in: "games")
        let failed = try await pair.await(.failed, of: session)
        #expect(failed.reason == "The file arrived damaged and was thrown away.")
        try await eventually("nothing is kept") { pair.kept().isEmpty }
        #expect(try await pair.two.fileURL(of: session, in: "games") == nil)

        // The next try begins anew.
        try bytes.write(to: kept)
        _ = try await pair.two.acceptFile(of: session, in: "games")
        _ = try await pair.await(.here, of: session)
        await pair.stop()
    }

    @Test func aFileThatIsGoneIsSaidToBeGone() async throws {
        let pair = try await FilePair()
        let session = try await pair.offer(FilePair.bytes(5_000_000))
        let kept = pair.nodes.root.appending(path: "one/files/\(session)")
        try FileManager.default.removeItem(at: kept)
        _ = try await pair.two.acceptFile(of: session, in: "games")
        let failed = try await pair.await(.failed, of: session)
        #expect(failed.reason == "one does not have the file any more.")
        await pair.stop()
    }

    @Test func whoCannotBeReachedIsAwaited() async throws {
        let pair = try await FilePair()
        let session = try await pair.offer(FilePair.bytes(5_000_000))
        await pair.one.stop()
        _ = try await pair.two.acceptFile(of: session, in: "games")
        try await eventually("a reason") {
            let transfer = try await pair.state(of: session)
            return transfer.state == .waiting && transfer.reason?.contains("can be reached") == true
        }
        await pair.stop()
    }

    @Test func withoutSpaceNothingBegins() async throws {
        let pair = try await FilePair(accepting: { $0.fileLimits.reserve = 1 << 60 })
        let session = try await pair.offer(FilePair.bytes(5_000_000))
        do {
            _ = try await pair.two.acceptFile(of: session, in: "games")
            Issue.record("it was accepted")
        } catch .noSpace(let missing) {
            #expect(missing > 1 << 59)
        }
        #expect(try await pair.state(of: session).state == .offered)
        #expect(pair.kept().isEmpty)
        await pair.stop()
    }

    @Test func oneAfterTheOtherIsFetched() async throws {
        let pair = try await FilePair(accepting: { $0.fileLimits.received = 1 })
        let first = try await pair.offer(FilePair.bytes(8_000_000))
        let second = try await pair.offer(FilePair.bytes(5_000_000), named: "song")
        pair.proxy.limit(to: 3_000_000, .held)
        _ = try await pair.two.acceptFile(of: first, in: "games")
        _ = try await pair.await(.receiving, of: first)
        _ = try await pair.two.acceptFile(of: second, in: "games")
        // It would have begun by then.
        try await Task.sleep(for: .milliseconds(200))
        #expect(try await pair.state(of: second).state == .waiting)
        #expect(pair.kept().keys.sorted() == ["\(first).part"])
        pair.proxy.limit(to: .max, .cut)
        _ = try await pair.two.declineFile(of: first, in: "games")
        _ = try await pair.await(.here, of: second)
        #expect(try await pair.state(of: first).state == .declined)
        await pair.stop()
    }

    /// A node that sends as many files as it may has others wait, and they come in their turn.
    @Test func aBusyDeviceIsAskedAgain() async throws {
        let pair = try await FilePair(offering: { $0.fileLimits.sentToDevice = 1 })
        var sessions: [SessionID] = []
        for name in ["a", "b", "c"] {
            sessions.append(try await pair.offer(FilePair.bytes(6_000_000), named: name))
        }
        for session in sessions { _ = try await pair.two.acceptFile(of: session, in: "games") }
        for session in sessions { _ = try await pair.await(.here, of: session) }
        await pair.stop()
    }

    @Test func decliningLeavesNothingAndIsRemembered() async throws {
        let pair = try await FilePair()
        let session = try await pair.offer(FilePair.bytes(8_000_000))
        pair.proxy.limit(to: 3_000_000, .held)
        _ = try await pair.two.acceptFile(of: session, in: "games")
        _ = try await pair.await(.receiving, of: session)
        #expect(try await pair.two.declineFile(of: session, in: "games").state == .declined)
        #expect(pair.kept() == ["\(session).declined": 0])
        try await pair.restartTwo()
        #expect(try await pair.state(of: session).state == .declined)
        pair.proxy.limit(to: .max, .cut)
        _ = try await pair.two.acceptFile(of: session, in: "games")
        _ = try await pair.await(.here, of: session)
        #expect(pair.kept() == [session.description: 8_000_000])
        await pair.stop()
    }

    @Test func takingTheOfferBackRemovesTheFile() async throws {
        let pair = try await FilePair()
        let session = try await pair.offer(FilePair.bytes(5_000_000))
        _ = try await pair.two.acceptFile(of: session, in: "games")
        _ = try await pair.await(.here, of: session)
        var end = Draft(session: session, content: MessageContent())
        (end.isOwn, end.isEnd) = (true, true)
        _ = try await pair.one.send(end, to: "games")
        try await eventually("nothing is kept") {
            pair.kept().isEmpty && pair.kept(by: "one").isEmpty
        }
        let error = await #expect(throws: NodeError.self) {
            try await pair.two.acceptFile(of: session, in: "games")
        }
        #expect(error == .noOffer(session.description))
        await pair.stop()
    }

    /// Regression: a device that was blocked went on sending a file.
    @Test func blockingEndsATransfer() async throws {
        let pair = try await FilePair()
        let session = try await pair.offer(FilePair.bytes(8_000_000))
        pair.proxy.limit(to: 3_000_000, .held)
        _ = try await pair.two.acceptFile(of: session, in: "games")
        _ = try await pair.await(.receiving, of: session)
        _ = try await pair.two.list(try await pair.one.status().device, .blocked)
        #expect(try await pair.state(of: session).state == .waiting)
        await pair.stop()
    }

    /// Regression: a length near the largest number ended the node.
    @Test(arguments: [0, -1, Int.max, Int.max - 1]) func lengthsHaveLimits(bytes: Int) async throws
    {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        _ = try await node.createConversation(named: "games")
        await #expect(throws: NodeError.self) {
            try await node.upload(of: bytes, named: "film", to: "games")
        }
        await node.stop()
    }

    @Test func leavingTheConversationRemovesItsFiles() async throws {
        let pair = try await FilePair()
        let session = try await pair.offer(FilePair.bytes(5_000_000))
        _ = try await pair.two.acceptFile(of: session, in: "games")
        _ = try await pair.await(.here, of: session)
        try await pair.two.leaveConversation(named: "games")
        try await eventually("nothing is kept") { pair.kept().isEmpty }
        await pair.stop()
    }

    @Test func aRelayNeitherOffersNorAccepts() async throws {
        let pair = try await FilePair()
        let session = try await pair.offer(FilePair.bytes(5_000_000))
        let (relay, _) = try await pair.nodes.start("three", peers: [pair.proxy.address])
        _ = try await relay.join(try await pair.one.invite(to: "games", role: .relay).link)
        try await eventually("the message") { try await relay.status().sessions == 1 }
        await #expect(throws: NodeError.self) {
            try await relay.acceptFile(of: session, in: "games")
        }
        let upload = await #expect(throws: NodeError.self) {
            try await relay.upload(of: 5, named: "film", to: "games")
        }
        #expect(upload == .readOnly(conversation: "games"))
        await pair.stop()
    }

    @Test func anUploadHasTheBytesThatWereAnnounced() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.startWithMessage()
        for bytes in [9, 11] {
            let upload = try await node.upload(of: 10, named: "../a/film", to: "games")
            #expect(upload.name == "film")
            let error = await #expect(throws: NodeError.self) {
                try await upload.write(Data(count: bytes))
                _ = try await node.offer(upload)
            }
            #expect(error.map(NodeErrorKind.init) == .badDraft)
            await node.cancel(upload)
        }
        #expect(try await node.fileTransfers().isEmpty)
        let folder = nodes.root.appending(path: "one/files").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        await node.stop()
    }
}
