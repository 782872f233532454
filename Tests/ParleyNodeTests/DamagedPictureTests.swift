import Foundation
import ParleyNode
import TestSupport
import Testing

/// Regression: with one bit changed in a stored picture, a node said that the picture was here,
/// answered that it had not arrived, wrote nothing to its log, and asked nobody.
@Suite(.timeLimit(.minutes(5)))
struct DamagedPictureTests {
    private let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    /// Two nodes that have the picture, stopped.
    private func twoNodes() async throws -> (TestNodes, SentMessage) {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        _ = try await two.join(try await one.invite(to: "games").link)
        var draft = Draft("?board")
        draft.picture = Picture(type: "image/png", bytes: bytes)
        let sent = try await one.send(draft, to: "games")
        _ = try await eventually("the picture") { try? await two.picture(of: sent) }
        await nodes.stopAll()
        return (nodes, sent)
    }

    @Test func aLinkedPeerRepairsIt() async throws {
        let (nodes, sent) = try await twoNodes()
        try nodes.flipBitInPicture(of: "two")
        #expect(try nodes.damagedBlobs(of: "two").count == 1)
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        let start = ContinuousClock.now
        let repaired = try await eventually("the repaired picture") {
            try await two.picture(of: sent)
        }
        #expect(repaired == bytes)
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(try await two.says(sent) == true)
        _ = one
        await nodes.stopAll()
        #expect(try nodes.damagedBlobs(of: "two").isEmpty)
    }

    /// Nobody has to ask for the picture: the node looks for itself, and says when it is not here.
    @Test func itIsNotHereUntilItIsRepaired() async throws {
        let (nodes, sent) = try await twoNodes()
        try nodes.flipBitInPicture(of: "two")
        let (two, address) = try await nodes.start("two")
        _ = try await eventually("the damage is found") {
            try await two.says(sent) == false ? true : nil
        }
        #expect(try await two.picture(of: sent) == nil)
        let events = EventLog(await two.events())
        let (one, _) = try await nodes.start("one", peers: [address])
        try await events.await("the picture") {
            $0 == .pictureArrived(conversation: "games", session: sent.session)
        }
        #expect(try await two.says(sent) == true)
        #expect(try await two.picture(of: sent) == bytes)
        _ = one
        await nodes.stopAll()
    }
}

extension Node {
    fileprivate func picture(of sent: SentMessage) async throws -> Data? {
        try await pictureBytes(of: sent.id, session: sent.session)
    }

    /// Whether the node says that the picture of a message is here.
    fileprivate func says(_ sent: SentMessage) async throws -> Bool? {
        try await session(sent.session).shown.picture?.isHere
    }
}
