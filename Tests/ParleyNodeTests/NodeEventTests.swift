import Foundation
import ParleyNode
import TestSupport
import Testing

/// A node tells its listeners of every change.
@Suite(.timeLimit(.minutes(5)))
struct NodeEventTests {
    @Test func aLifeIsToldInOrder() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        let events = await node.events()
        let made = try await node.createConversation(named: "games")
        let first = try await node.send(Draft("?move=1"), to: "games")
        let second = try await node.send(Draft("?move=2", session: first.session), to: "games")
        try await node.leaveConversation(named: "games", force: true)
        await node.stop()

        var told: [String] = []
        for await event in events {
            switch event {
            case .conversationsChanged: told.append("conversations")
            case .shown(let name, let message):
                #expect(name == made.name)
                told.append("shown \(message.id)")
            case .summarized(let name, let summary):
                #expect(name == made.name)
                told.append("summarized \(summary.id)")
            default: Issue.record("\(event)")
            }
        }
        // The stream ends with the node, else this line is not reached.
        #expect(
            told == [
                "conversations", "shown \(first.id)", "summarized \(first.id)",
                "shown \(second.id)", "conversations",
            ]
        )
    }

    /// More events of one step than are told together: each is told once, in the order of the step.
    @Test func manyEventsOfOneStepAreToldInOrder() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        _ = try await node.createConversation(named: "games")
        let events = await node.events()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<900 {
                group.addTask { _ = try await node.send(Draft("?move=\(number)"), to: "games") }
            }
            try await group.waitForAll()
        }
        await node.stop()
        var shown: [MessageID] = []
        for await case .shown(_, let message) in events { shown.append(message.id) }
        #expect(shown.count == 900)
        #expect(Set(shown).count == 900)
        let sequences = shown.compactMap { id in
            id.description.split(separator: "-").last.flatMap { Int($0) }
        }
        #expect(sequences.count == shown.count)
        #expect(sequences == sequences.sorted())
    }

    /// Regression: the latest of the messages that came to the disk together was told once for each
    /// of them, and of the summaries only the last one.
    @Test func messagesThatReplaceOneAnotherAreToldOnce() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        _ = try await node.createConversation(named: "games")
        let first = try await node.send(Draft("?move=0"), to: "games")
        let events = await node.events()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...12 {
                group.addTask {
                    let draft = Draft("?move=\(number)", session: first.session)
                    _ = try await node.send(draft, to: "games")
                }
            }
            try await group.waitForAll()
        }
        let latest = try await node.session(first.session).shown
        await node.stop()
        var shown: [MessageID] = []
        var summarized: [MessageID] = []
        for await event in events {
            switch event {
            case .shown(_, let message): shown.append(message.id)
            case .summarized(_, let summary): summarized.append(summary.id)
            default: Issue.record("\(event)")
            }
        }
        #expect(Set(shown).count == shown.count)
        #expect(shown.last == latest.id)
        #expect(summarized.first == first.id)
        #expect(Set(summarized).count == 12, "each message but the latest was replaced")
        #expect(summarized.count == 12)
    }

    @Test func eachListenerHearsWhatHappensFromThenOn() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        let early = EventLog(await node.events())
        _ = try await node.createConversation(named: "games")
        let late = EventLog(await node.events())
        let sent = try await node.send(Draft("?move=1"), to: "games")
        try await early.await("the message") { $0.isShown(sent.id) }
        try await late.await("the message") { $0.isShown(sent.id) }
        #expect(early.events.contains(.conversationsChanged))
        #expect(!late.events.contains(.conversationsChanged))
        await nodes.stopAll()
    }

    @Test func linksDeliveriesAndPicturesAreTold() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        let atOne = EventLog(await one.events())
        let atTwo = EventLog(await two.events())
        _ = try await one.createConversation(named: "games")
        _ = try await two.join(try await one.invite(to: "games").link)
        let device = try await two.status().device
        try await atOne.await("the link") {
            $0 == .peerChanged(device: device, isConnected: true)
        }

        var draft = Draft("?board")
        draft.picture = Picture(type: "image/png", bytes: Data(repeating: 7, count: 300_000))
        draft.tellsDelivery = true
        let sent = try await one.send(draft, to: "games")
        try await atOne.await("the delivery") {
            $0
                == .delivered(
                    conversation: "games",
                    session: sent.session,
                    sent.id,
                    nodes: 1
                )
        }
        try await atTwo.await("the message") { $0.isShown(sent.id) }
        try await atTwo.await("its picture") {
            $0 == .pictureArrived(conversation: "games", session: sent.session)
        }
        await two.stop()
        try await atOne.await("the end of the link") {
            $0 == .peerChanged(device: device, isConnected: false)
        }
        await nodes.stopAll()
    }

    @Test func aConflictIsToldAndSoIsItsEnd() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        _ = try await two.join(try await one.invite(to: "games").link)
        let wait = SendWait.delivered(nodes: 1, timeout: .seconds(20))
        let session = try await one.send(Draft("?move=1"), to: "games", wait: wait).session
        await two.stop()
        _ = try await one.send(Draft("?one", session: session), to: "games")
        await one.stop()
        // Nobody listens where the other was, so this node is alone.
        let (alone, _) = try await nodes.start("two")
        _ = try await alone.send(Draft("?two", session: session), to: "games")
        await alone.stop()

        let (again, newAddress) = try await nodes.start("one")
        let events = EventLog(await again.events())
        let (other, _) = try await nodes.start("two", peers: [newAddress])
        try await events.await("the conflict") { $0.heads(of: session) == 2 }
        let conflict = try #require(try await again.conflicts().first)
        #expect(conflict.session == session)
        #expect(conflict.others.count == 1)
        try await eventually("the conflict at the other") {
            try await other.conflicts().count == 1
        }
        #expect(try await other.conflicts().first?.shown.id == conflict.shown.id)

        _ = try await other.send(Draft("?settled", session: session), to: "games")
        try await events.await("the end of the conflict") { $0.heads(of: session) == 1 }
        #expect(try await again.conflicts().isEmpty)
        #expect(try await again.urls("games") == ["?settled"])
        await nodes.stopAll()
    }
}

extension NodeEvent {
    fileprivate func isShown(_ id: MessageID) -> Bool {
        if case .shown(_, let message) = self { message.id == id } else { false }
    }

    /// The number of heads that a conflict of that session has.
    fileprivate func heads(of session: SessionID) -> Int? {
        if case .conflict(_, session, let heads) = self { heads.count } else { nil }
    }
}
