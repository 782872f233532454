import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// Functions that Apple's framework does not have.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct BeyondAppleTests {
    @Test func everybodyIsKnownBeforeTheySaidAnything() throws {
        let names = ["ann", "ben", "cat", "dan", "eve"]
        let table = try Table(participants: names)
        for player in table.harness.players { try player.open() }
        let conversation = try #require(table.ann.conversation)
        #expect(conversation.remoteParticipantIdentifiers.count == 4)
        let parley = try #require(conversation.parley)
        #expect(Set(parley.participants.compactMap(\.name)) == Set(names))
        #expect(Set(parley.participants.map(\.device)).count == 5)
        for player in table.harness.players {
            #expect(player.conversation?.localParticipantIdentifier == player.participant)
            #expect(player.bubbles.isEmpty)
            let id = try #require(player.participant)
            #expect(parley.name(of: id) == player.name)
        }
    }

    @Test func historyOfASession() throws {
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        let session = MSSession()
        for (index, player) in [table.ann, table.ben, table.ann].enumerated() {
            let message = MSMessage("?\(index)", in: session)
            message.summaryText = "move \(index)"
            player.conversation?.send(message)
            table.harness.settle()
        }
        for player in [table.ann, table.ben] {
            let parley = try #require(player.conversation?.parley)
            #expect(parley.history(of: session).map(\.summaryText) == ["move 0", "move 1"])
            #expect(parley.history(of: session).map(\.sender.name) == ["ann", "ben"])
            #expect(parley.latest(in: session)?.content?.url == "?2")
        }
        #expect(conversation.parley?.history(of: MSSession()) == [])
    }

    @Test func deliveryIsTold() throws {
        let table = try Table(participants: ["ann", "ben", "cat"])
        let conversation = try table.opened()
        try table.harness.cutOff("cat")
        let message = MSMessage("?a")
        conversation.send(message)
        table.harness.settle()
        let parley = try #require(conversation.parley)
        #expect(parley.delivery(of: message) == .stored(nodes: 1))
        table.harness.heal()
        // Receipts gather for half a second.
        table.harness.pass(seconds: 1)
        #expect(parley.delivery(of: message) == .stored(nodes: 2))
        #expect(Probe.deliveries == [.stored(nodes: 0), .stored(nodes: 1), .stored(nodes: 2)])
        #expect(parley.delivery(of: MSMessage("?b")) == nil)
    }

    @Test func bothSidesOfAConflictAreTold() throws {
        let table = try Table(participants: ["ann", "ben"])
        let conversation = try table.opened()
        try table.ben.open()
        let session = MSSession()
        conversation.send(MSMessage("?question", in: session))
        table.harness.settle()
        try table.harness.cutOff("ben")
        conversation.send(MSMessage("?ann", in: session))
        table.ben.conversation?.send(MSMessage("?ben", in: session))
        table.harness.settle()
        #expect(Probe.conflicts.isEmpty)
        table.harness.heal()
        // Both hear of it, and of the same winner.
        #expect(Probe.conflicts.count == 2)
        let winners = Set(Probe.conflicts.map { $0.shown.url?.absoluteString })
        #expect(winners.count == 1)
        for conflict in Probe.conflicts {
            let all = ([conflict.shown] + conflict.others).compactMap(\.url?.absoluteString)
            #expect(all.sorted() == ["?ann", "?ben"])
        }
        let parley = try #require(conversation.parley)
        #expect(parley.others(in: session).count == 1)
        #expect(table.ann.bubbles.last { $0.kind == .message }?.isConflict == true)
        Probe.conflicts = []
        conversation.send(MSMessage("?settled", in: session))
        table.harness.settle()
        #expect(Probe.conflicts.map(\.others.count) == [0, 0])
        #expect(table.ben.bubbles.last?.url == "?settled")
    }

    @Test func turns() throws {
        let table = try Table(participants: ["ann", "ben", "cat"])
        let conversation = try table.opened()
        try table.ben.open()
        let cat = try table.harness["cat"]
        try cat.open()
        let session = MSSession()
        let message = MSMessage("?a", in: session)
        let ben = try #require(table.ben.participant)
        conversation.parley?.setNext([ben], for: message)
        conversation.send(message)
        table.harness.settle()
        #expect(conversation.parley?.isMyTurn(in: session) == false)
        #expect(table.ben.conversation?.parley?.isMyTurn(in: session) == true)
        #expect(cat.conversation?.parley?.next(in: session) == [ben])
        // Refused before anything is staged or sent.
        for isDirect in [true, false] {
            let answers = Answers()
            let early = MSMessage("?early", in: session)
            if isDirect {
                cat.conversation?.send(early, completionHandler: answers.handler)
            } else {
                cat.conversation?.insert(early, completionHandler: answers.handler)
            }
            table.harness.settle()
            #expect(try answers.code == MSMessageErrorCode.unknown.rawValue)
            let reason = (early.error as NSError?)?.userInfo[NSUnderlyingErrorKey] as? HostError
            #expect(reason == .notYourTurn(next: [ben]))
            #expect(cat.draft == nil)
        }
        table.ben.conversation?.send(MSMessage("?b", in: session))
        table.harness.settle()
        #expect(cat.bubbles.last?.url == "?b")
    }

    @Test func whatTheNodeRefusesStandsInTheFieldAgain() throws {
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        let session = MSSession()
        conversation.send(MSMessage("?1", in: session))
        table.harness.settle()
        let staged = MSMessage("?staged", in: session)
        conversation.insert(staged)
        table.harness.settle()
        // Meanwhile somebody else moves, and names only themselves.
        let reply = MSMessage("?2", in: session)
        let ben = try #require(table.ben.participant)
        table.ben.conversation?.parley?.setNext([ben], for: reply)
        table.ben.conversation?.send(reply)
        table.harness.settle()
        try table.ann.send()
        #expect(staged.isPending)
        #expect(staged.error != nil)
        #expect(conversation.parley?.delivery(of: staged) == .failed(.notYourTurn(next: [ben])))
        #expect(table.ann.draft?.url?.absoluteString == "?staged")
        #expect(!Probe.take().contains { $0.hasPrefix("didStartSending ?staged") })
    }

    @Test func takingADraftBack() throws {
        let table = try Table()
        let conversation = try table.opened()
        conversation.insert(MSMessage("?a"))
        table.harness.settle()
        conversation.parley?.unstage()
        #expect(table.ann.draft == nil)
        #expect(conversation.selectedMessage == nil)
        #expect(Probe.take() == [])
    }

    @Test func anInactiveConversationKnowsNothing() {
        #expect(MSConversation().parley == nil)
    }

    @Test func headlessAppsPlay() throws {
        Probe.reset()
        let bot = HostedApp(Probe.self, id: "bot", speaks: "game", startsHeadless: true)
        let game = HostedApp(Probe.self, id: "game")
        let harness = Harness(
            participants: [("ann", [game]), ("robot", [bot])],
            settings: .strict
        )
        Probe.reply = { app, message in
            guard let session = message.session, message.url?.absoluteString == "?ping",
                let conversation = app.activeConversation
            else { return }
            // A headless app has nobody who presses Send, so an inserted message is sent at once.
            conversation.insert(MSMessage("?pong", in: session))
        }
        let ann = try harness["ann"]
        try ann.open()
        ann.conversation?.insert(MSMessage("?ping", in: MSSession()))
        harness.settle()
        try ann.send()
        #expect(ann.bubbles.filter { $0.kind == .message }.map(\.url) == ["?pong"])
        #expect(ann.transcript.last == "robot: ?pong")
    }

    /// A bot that was away hears where every session stands when it comes back.
    @Test func headlessAppsCatchUp() throws {
        Probe.reset()
        let bot = HostedApp(Probe.self, id: "bot", speaks: "game", startsHeadless: true)
        let game = HostedApp(Probe.self, id: "game")
        let harness = Harness(participants: [("ann", [game]), ("robot", [bot])])
        Probe.reply = { app, message in
            guard let session = message.session, message.url?.absoluteString == "?ping" else {
                return
            }
            app.activeConversation?.send(MSMessage("?pong", in: session))
        }
        let ann = try harness["ann"]
        let robot = try harness["robot"]
        try ann.open()
        robot.goAway()
        ann.conversation?.send(MSMessage("?ping", in: MSSession()))
        harness.settle()
        #expect(ann.bubbles.last?.url == "?ping")
        robot.comeBack()
        #expect(ann.bubbles.last?.url == "?pong")
    }
}
