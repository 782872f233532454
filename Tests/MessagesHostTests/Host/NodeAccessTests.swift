import Foundation
import Messages
import MessagesHost
import ParleyNode
import TestSupport
import Testing

/// Apps on real nodes, in one process: the way that a program of the project goes.
@MainActor
@Suite(.timeLimit(.minutes(5)), .serialized)
struct NodeAccessTests {
    /// Notes what it is told; a test has the notes to itself.
    final class Listener: MSMessagesAppViewController, ParleyApp {
        static var received: [MSMessage] = []
        static var started: [String] = []
        static var nodes: [Int] = []

        override func didReceive(_ message: MSMessage, conversation: MSConversation) {
            Self.received.append(message)
        }
        override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
            Self.started.append(message.url?.absoluteString ?? "-")
        }
        func deliveryDidChange(
            of message: MSMessage,
            to state: DeliveryState,
            conversation: MSConversation
        ) {
            if case .stored(let nodes) = state { Self.nodes.append(nodes) }
        }
    }

    private static let apps = [HostedApp(Listener.self, id: "listener")]
    /// The data of the nodes, which is there as long as a test runs.
    private let loopback = LoopbackNodes()

    /// Ann and Ben at one table, both with the app open.
    private func table() async throws -> (nodes: [Node], hosts: [AppHost], panels: [AppPanel]) {
        (Listener.received, Listener.started, Listener.nodes) = ([], [], [])
        let (ann, address) = try await loopback.start("ann")
        let (ben, _) = try await loopback.start("ben", peers: [address])
        _ = try await ann.createConversation(named: "table")
        _ = try await ben.join(try await ann.invite(to: "table").link)
        var hosts: [AppHost] = []
        var panels: [AppPanel] = []
        for node in [ann, ben] {
            let host = await AppHost.start(Self.apps, on: node)
            let panel = try await host.panel(try host.app(called: "listener"), in: "table")
            try panel.open()
            hosts.append(host)
            panels.append(panel)
        }
        return ([ann, ben], hosts, panels)
    }

    private func end(_ nodes: [Node], _ hosts: [AppHost]) async {
        for host in hosts { host.stop() }
        for node in nodes { await node.stop() }
    }

    @Test func aMessageWithAPictureArrivesAndIsAnswered() async throws {
        let (nodes, hosts, panels) = try await table()
        let ann = try #require(panels[0].activeConversation)
        let ben = try #require(panels[1].activeConversation)
        let session = MSSession()
        let bytes = Data(Pictures.png(width: 9, height: 9, tail: 300_000))
        let message = MSMessage("?question", in: session)
        let layout = MSMessageTemplateLayout()
        layout.image = UIImage(data: bytes)
        message.layout = layout
        try await ann.send(message)
        #expect(!message.isPending && Listener.started == ["?question"])
        let received = try await eventually("the message") { Listener.received.first }
        #expect((received.layout as? MSMessageTemplateLayout)?.image?.pngData() == bytes)
        #expect(received.session == session)
        let parley = try #require(ben.parley)
        #expect(parley.name(of: received.senderParticipantIdentifier) == "ann")
        try await ben.insert(MSMessage("?answer", in: received.session))
        try await panels[1].sendField()
        _ = try await eventually("the answer") { Listener.received.count == 2 ? true : nil }
        #expect(Listener.received[1].senderParticipantIdentifier == ben.localParticipantIdentifier)
        #expect(ann.parley?.latest(in: session)?.content?.url == "?answer")
        _ = try await eventually("word of the delivery") { Listener.nodes.contains(1) ? true : nil }
        await end(nodes, hosts)
    }

    /// Regression: after a restart everybody was nameless who had not come back.
    @Test func thoseWhoAreAwayHaveNamesAfterARestart() async throws {
        let (nodes, hosts, panels) = try await table()
        let ann = try #require(panels[0].activeConversation)
        let ben = try #require(panels[1].activeConversation)
        try await ann.send(MSMessage("?question", in: MSSession()))
        let question = try await eventually("the question") { Listener.received.first }
        for text in ["?answer", "?and another"] {
            let message = MSMessage(text, in: question.session)
            message.summaryText = "$\(ben.localParticipantIdentifier.uuidString) said \(text)"
            try await ben.insert(message)
            try await panels[1].sendField()
        }
        _ = try await eventually("the answers") { Listener.received.count == 3 ? true : nil }
        let session = try #require(question.session)
        await end(nodes, hosts)

        let (node, _) = try await loopback.start("ann")
        let host = await AppHost.start(Self.apps, on: node)
        let panel = try await host.panel(try host.app(called: "listener"), in: "table")
        try panel.open()
        let parley = try #require(panel.activeConversation?.parley)
        #expect(parley.latest(in: session)?.sender.name == "ben")
        let history = parley.history(of: session)
        #expect(history.map(\.sender.name) == ["ann", "ben"])
        #expect(history.last?.summaryText.map(parley.resolved) == "ben said ?answer")
        let names: Set<String?> = Set(parley.participants.map(\.name))
        #expect(names == ["ann", "ben"])
        #expect(parley.participants.count == 2)
        await end([node], [host])
    }

    /// Regression: an app was not told of messages that came before its node was restarted.
    @Test func arrivalsAreToldAfterARestart() async throws {
        let (nodes, hosts, panels) = try await table()
        panels[1].close()
        let ann = try #require(panels[0].activeConversation)
        try await ann.send(MSMessage("?question", in: MSSession()))
        // The node has the message before the host hears of it and writes it down.
        let file = try #require(nodes[1].keptFile(named: "arrivals.json"))
        try await eventually("the question among the arrivals at ben's") {
            let bytes = try file.read(atMost: 1 << 20) ?? []
            return String(decoding: bytes, as: UTF8.self).contains("listener")
        }
        await end(nodes, hosts)
        #expect(Listener.received.isEmpty)

        let (node, _) = try await loopback.start("ben")
        let host = await AppHost.start(Self.apps, on: node)
        let panel = try await host.panel(try host.app(called: "listener"), in: "table")
        try panel.open()
        let question = try await eventually("the question") { Listener.received.first }
        #expect(question.url?.absoluteString == "?question")
        await end([node], [host])
    }

    /// Messages that an app sends in one go arrive in that order.
    @Test func messagesGoInTheOrderOfTheCalls() async throws {
        let (nodes, hosts, panels) = try await table()
        let conversation = try #require(panels[0].activeConversation)
        let session = MSSession()
        let answers = Answers()
        for move in 0..<50 {
            conversation.send(
                MSMessage("?\(move)", in: session),
                completionHandler: answers.handler
            )
        }
        _ = try await eventually("all answers") { answers.all.count == 50 ? true : nil }
        #expect(Listener.started == (0..<50).map { "?\($0)" })
        #expect(answers.all.allSatisfy { $0.code == nil && $0.isOnMainQueue })
        _ = try await eventually("the last move") {
            Listener.received.last?.url?.absoluteString == "?49" ? true : nil
        }
        await end(nodes, hosts)
    }

    /// Regression: a tap at once after the arrival was refused with `unknownMessage`.
    @Test func aMessageCanBeTappedAsSoonAsItArrives() async throws {
        let (nodes, hosts, panels) = try await table()
        let arrivals = await nodes[1].events()
        var tapped: [String?] = []
        let session = SessionID()
        for number in 0..<50 {
            var content = MessageContent()
            content.app = "listener"
            content.url = "?\(number)"
            content.layout = ContentLayout()
            let sent = try await nodes[0].send(
                Draft(session: session, content: content),
                to: "table"
            )
            for await event in arrivals {
                guard case .shown(_, let message) = event, message.id == sent.id else { continue }
                break
            }
            var result: Result<Void, HostError>?
            panels[1].tap(sent.id) { result = $0 }
            try await eventually("the answer") { result }.get()
            let selected = panels[1].activeConversation?.selectedMessage
            tapped.append(selected?.url?.absoluteString)
        }
        #expect(tapped == (0..<50).map { "?\($0)" })
        await end(nodes, hosts)
    }

    /// A session that is used in two conversations is one in each of them.
    @Test func theSameSessionInTwoConversations() async throws {
        (Listener.received, Listener.started, Listener.nodes) = ([], [], [])
        let (node, _) = try await loopback.start("ann")
        let session = SessionID()
        var ids: [MessageID] = []
        for (number, name) in ["first", "second"].enumerated() {
            _ = try await node.createConversation(named: name)
            var content = MessageContent()
            content.app = "listener"
            content.url = "?\(name)"
            content.layout = ContentLayout()
            var draft = Draft(session: session, content: content)
            let bytes = Data(Pictures.png(width: 9, height: 9, tail: 20_000 + number))
            draft.picture = Picture(type: "image/png", bytes: bytes)
            ids.append(try await node.send(draft, to: name).id)
        }
        let host = await AppHost.start(Self.apps, on: node)
        for (number, name) in ["first", "second"].enumerated() {
            let panel = try await host.panel(try host.app(called: "listener"), in: name)
            var result: Result<Void, HostError>?
            panel.tap(ids[number]) { result = $0 }
            try await eventually("the answer") { result }.get()
            let selected = panel.activeConversation?.selectedMessage
            #expect(selected?.url?.absoluteString == "?\(name)")
            let layout = selected?.layout as? MSMessageTemplateLayout
            #expect(
                layout?.image?.pngData()?.count == Pictures.png(width: 9, height: 9).count
                    + 20_000 + number
            )
        }
        await end([node], [host])
    }

    /// A node that is stopped refuses, and every question is answered.
    @Test func aStoppedNodeIsAnError() async throws {
        let (nodes, hosts, panels) = try await table()
        let conversation = try #require(panels[0].activeConversation)
        for node in nodes { await node.stop() }
        let message = MSMessage("?late")
        let answers = Answers()
        conversation.send(message, completionHandler: answers.handler)
        _ = try await eventually("the refusal") { answers.all.isEmpty ? nil : true }
        #expect(try answers.code == MSMessageErrorCode.unknown.rawValue)
        #expect(message.isPending)
        #expect(conversation.parley?.delivery(of: message) == .failed(.node(.stopped)))
        let error = await #expect(throws: HostError.self) {
            _ = try await hosts[0].bubbles(of: "table")
        }
        #expect(error == .node(.stopped))
        for host in hosts { host.stop() }
        #expect(panels[0].isOpen == false)
    }
}
