import Foundation
import Messages
import MessagesHost
import ParleyNode
import Testing

/// The behaviour of a host when events of its node come late, twice or not at all.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct HostNodeTests {
    private static let app = HostedApp(Probe.self, id: "game", startsHeadless: false)
    private static let bot = HostedApp(Probe.self, id: "bot", speaks: "game")
    private let ben = Participant(id: UUID(), device: "BEN", name: nil)

    private func started(
        _ node: DeskNode,
        settings: HostSettings = HostSettings()
    ) -> AppHost {
        Probe.reset()
        let host = AppHost(apps: [Self.app, Self.bot], settings: settings, node: node)
        host.start()
        return host
    }

    private func panel(_ host: AppHost, _ app: HostedApp = app) throws -> AppPanel {
        var found: AppPanel?
        host.panel(app, in: "table") { found = try? $0.get() }
        return try #require(found)
    }

    /// A picture of one pixel that the node waits for.
    private let picture = PictureInfo(
        sha256: String(repeating: "0", count: 64),
        type: "image/gif",
        bytes: Pictures.gif.count,
        isHere: false
    )

    private func waitingMessage(_ node: DeskNode) throws -> Message {
        try node.message("?picture", app: "game", from: ben, picture: picture)
    }

    /// The bytes are here now.
    private func bring(_ message: Message, to node: DeskNode) {
        node.pictures[message.id] = Data(Pictures.gif)
        node.emit(.happened(.pictureArrived(conversation: "table", session: message.session)))
    }

    /// An app is told of the messages that arrived before its first opening, once.
    @Test(arguments: [true, false])
    func whatArrivedBeforeTheFirstOpeningIsTold(replays: Bool) throws {
        let node = DeskNode([ben])
        var settings = HostSettings()
        settings.replaysArrivals = replays
        node.show(try node.message("?seen long ago", app: "game", from: ben))
        let host = started(node, settings: settings)
        let session = SessionID()
        for url in ["?1", "?2"] {
            let message = try node.message(url, app: "game", from: ben, in: session)
            node.show(message)
            node.emit(.happened(.shown(conversation: "table", message)))
        }
        let other = try node.message("?other", app: "chess", from: ben)
        node.show(other)
        node.emit(.happened(.shown(conversation: "table", other)))
        let panel = try panel(host)
        try panel.open()
        #expect(Probe.received.map { $0.url?.absoluteString } == (replays ? ["?2"] : []))
        panel.close()
        try panel.open()
        #expect(Probe.received.count == (replays ? 1 : 0))
    }

    /// Names are told by links, which may come after an app was opened.
    @Test func namesThatAreHeardLaterAreUsed() throws {
        let node = DeskNode([ben])
        let panel = try panel(started(node))
        try panel.open()
        let parley = try #require(panel.activeConversation?.parley)
        #expect(parley.name(of: ben.id) == nil)
        #expect(parley.resolved("$\(ben.id) moves") == "Someone moves")
        let named = Participant(id: ben.id, device: "BEN", name: "Ben")
        node.conversations = [DeskNode.conversation("table", [named])]
        node.emit(.happened(.peerChanged(device: "BEN", isConnected: true)))
        #expect(parley.name(of: ben.id) == "Ben")
        #expect(parley.resolved("$\(ben.id) moves") == "Ben moves")
    }

    /// A bot that is started before the picture of the latest message is here hears of it then.
    @Test func aHeadlessAppHearsOfAPictureThatComesLater() throws {
        let node = DeskNode([ben])
        let message = try waitingMessage(node)
        node.show(message)
        let host = started(node)
        try host.startHeadless("bot")
        #expect(Probe.received.isEmpty && Probe.faults.isEmpty)
        bring(message, to: node)
        #expect(Probe.received.map { $0.url?.absoluteString } == ["?picture"])
        let layout = Probe.received.first?.layout as? MSMessageTemplateLayout
        #expect(layout?.image?.encoded?.data == Data(Pictures.gif))
        bring(message, to: node)
        #expect(Probe.received.count == 1)
    }

    /// After events were lost, the app hears of the latest message of each session that changed.
    @Test(arguments: [true, false])
    func lostEventsAreMadeUpFor(isHere: Bool) throws {
        let node = DeskNode([ben])
        node.show(try node.message("?old", app: "game", from: ben))
        let panel = try panel(started(node))
        try panel.open()
        let message =
            isHere
            ? try node.message("?new", app: "game", from: ben) : try waitingMessage(node)
        node.show(message)
        node.emit(.lostEvents)
        if !isHere {
            #expect(Probe.received.isEmpty)
            bring(message, to: node)
        }
        #expect(Probe.received.map(\.url?.absoluteString) == [message.content?.url])
        #expect(Probe.faults.isEmpty)
    }

    /// Events that come while a conversation is being read are newer than the result.
    @Test func whatIsToldWhileReadingCounts() throws {
        let node = DeskNode([ben])
        let session = SessionID()
        let old = try node.message("?old", app: "game", from: ben, in: session)
        node.show(old)
        let host = started(node)
        node.holdsTranscripts = true
        var found: AppPanel?
        host.panel(Self.app, in: "table") { found = try? $0.get() }
        #expect(found == nil)
        let new = try node.message("?new", app: "game", from: ben, in: session)
        node.show(new)
        node.emit(.happened(.shown(conversation: "table", new)))
        node.answerTranscripts()
        let panel = try #require(found)
        try panel.open()
        let parley = try #require(panel.activeConversation?.parley)
        #expect(parley.latestMessages.map(\.content?.url) == ["?new"])

        // The same when all is read anew: the app hears of the last one, and of no older one.
        node.holdsTranscripts = true
        node.emit(.lostEvents)
        let last = try node.message("?last", app: "game", from: ben, in: session)
        node.show(last)
        Probe.received = []
        node.emit(.happened(.shown(conversation: "table", last)))
        node.answerTranscripts()
        #expect(parley.latestMessages.map(\.content?.url) == ["?last"])
        #expect(Probe.received.map { $0.url?.absoluteString } == ["?last"])
    }

    /// More is told while reading than is kept: what is shown counts.
    @Test func moreThanIsKeptIsReadAnew() throws {
        let node = DeskNode([ben])
        let session = SessionID()
        let host = started(node)
        node.holdsTranscripts = true
        var found: AppPanel?
        host.panel(Self.app, in: "table") { found = try? $0.get() }
        let first = try node.message("?first", app: "game", from: ben, in: session)
        for _ in 0..<16_384 { node.emit(.happened(.shown(conversation: "table", first))) }
        let last = try node.message("?last", app: "game", from: ben, in: session)
        node.show(last)
        node.emit(.happened(.shown(conversation: "table", last)))
        node.answerTranscripts()
        let panel = try #require(found)
        try panel.open()
        let latest = panel.activeConversation?.parley?.latestMessages
        #expect(latest?.map(\.content?.url) == ["?last"])
    }

    /// The other heads of a conflict are known to a host that was started after it.
    @Test func aConflictOutlivesTheHost() throws {
        let node = DeskNode([ben])
        let session = SessionID()
        let shown = try node.message(
            "?shown",
            app: "game",
            from: ben,
            in: session,
            isConflict: true
        )
        node.show(shown)
        node.others[session] = [
            try node.message("?other", app: "game", from: DeskNode.me, in: session)
        ]
        let panel = try panel(started(node))
        try panel.open()
        let parley = try #require(panel.activeConversation?.parley)
        let others = parley.others(in: MSSession(identifier: session.uuid))
        #expect(others.map(\.content?.url) == ["?other"])
        // The other head can be tapped as well.
        panel.tap(try #require(others.first?.id))
        #expect(panel.activeConversation?.selectedMessage?.url?.absoluteString == "?other")
    }

    /// An app that runs without a person runs in conversations that are joined later, too.
    @Test func aHeadlessAppRunsInNewConversations() throws {
        let node = DeskNode([ben])
        let host = started(node)
        try host.startHeadless("bot")
        #expect(Probe.take().filter { $0 == "viewDidLoad" }.count == 1)
        node.conversations.append(DeskNode.conversation("other", [ben]))
        node.emit(.happened(.conversationsChanged))
        #expect(Probe.take().filter { $0 == "viewDidLoad" }.count == 1)
    }

    /// Regression: an app stayed open in a conversation that was left and whose name another one
    /// had by then.
    @Test func anotherConversationOfTheNameIsAnotherOne() throws {
        let node = DeskNode([ben])
        let host = started(node)
        node.show(try node.message("?old", app: "game", from: ben))
        let old = try panel(host)
        try old.open()
        node.shown = []
        node.conversations = [DeskNode.conversation("table", [ben], id: "1")]
        node.emit(.happened(.conversationsChanged))
        #expect(host.panels(in: "table").isEmpty)
        let new = try panel(host)
        try new.open()
        #expect(new !== old)
        #expect(new.activeConversation?.parley?.latestMessages.isEmpty == true)
    }

    /// Typed text and files stay in the input field if the node refuses them.
    @Test func whatIsNotTakenStaysInTheField() throws {
        let node = DeskNode([ben])
        let panel = try panel(started(node))
        try panel.open()
        let file = FileManager.default.temporaryDirectory
            .appending(path: "parley-host-\(UUID().uuidString).gif")
        try Data(Pictures.gif).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        panel.text = "typed with care"
        let conversation = try #require(panel.activeConversation)
        conversation.insertAttachment(file, withAlternateFilename: nil)
        panel.takeRequests()
        node.refusal = .storeFull
        var result: Result<Void, HostError>?
        try panel.sendField { result = $0 }
        #expect(throws: HostError.node(.storeFull)) { try result?.get() }
        #expect(panel.text == "typed with care")
        #expect(panel.itemCount == 1)
        node.refusal = nil
        try panel.sendField { result = $0 }
        #expect(throws: Never.self) { try result?.get() }
        #expect(panel.text.isEmpty && panel.itemCount == 0)
        #expect(Set(node.sent.map(\.content.app)).count == 3, "and the mark")
    }

    /// A send that never got as far as the node leaves the touch for the next one.
    @Test func aRefusedSendDoesNotUseTheTouchUp() throws {
        let node = DeskNode([ben])
        let panel = try panel(started(node, settings: .strict))
        try panel.open()
        let conversation = try #require(panel.activeConversation)
        // Pressing Send is a touch.
        panel.text = "hello"
        try panel.sendField()
        let tooLong = MSMessage()
        tooLong.url = URL(string: "?" + String(repeating: "a", count: 5_000))
        let short = MSMessage("?short")
        for message in [tooLong, short, MSMessage("?again")] {
            conversation.send(message)
            panel.takeRequests()
        }
        #expect(!short.isPending)
        #expect(node.sent.compactMap(\.content.url) == ["?short"])
    }

    /// However much an app sends in one go, it is told of each message what became of it.
    @Test func everythingUnderWayIsSettled() throws {
        let node = DeskNode([ben])
        let panel = try panel(started(node))
        try panel.open()
        Probe.calls = []
        let conversation = try #require(panel.activeConversation)
        node.holdsSends = true
        let messages = (0..<600).map { MSMessage("?\($0)") }
        for message in messages { conversation.send(message) }
        panel.takeRequests()
        #expect(!messages.contains { !$0.isPending })
        node.answerSends()
        #expect(!messages.contains { $0.isPending })
        #expect(Probe.take().count { $0.hasPrefix("didStartSending") } == 600)
        // Messages that were settled are forgotten after a while.
        for number in 0..<600 { conversation.send(MSMessage("?more\(number)")) }
        panel.takeRequests()
        #expect(conversation.parley?.delivery(of: messages[0]) == nil)
    }

    /// A live bubble that asks for a style gets a controller in that style, and no transition.
    @Test(arguments: [AppStyle.compact, .expanded])
    func aBubbleAsksForAStyle(style: AppStyle) throws {
        let node = DeskNode([ben])
        var content = try node.message("?live", app: "game", from: ben).content
        content?.layout?.isLive = true
        let plain = try node.message("?live", app: "game", from: ben)
        node.show(
            Message(
                session: plain.session,
                id: plain.id,
                revision: 1,
                sender: ben,
                sentAt: plain.sentAt,
                content: content
            )
        )
        let host = started(node)
        var bubble: LiveBubble?
        host.bubbles(of: "table") { result in
            guard let entry = try? result.get().first else { return }
            host.live(entry, in: "table", offered: CGSize(width: 9, height: 9)) { bubble = $0 }
        }
        let app = try #require(bubble?.screen.controller as? Probe)
        Probe.calls = []
        app.requestPresentationStyle(style == .compact ? .compact : .expanded)
        host.completionQueue.callWaiting()
        let start = ["viewDidLoad", "willBecomeActive selected ?live active true"]
        #expect(Probe.take() == start + CallbackTests.opening)
        #expect(try panel(host).style == style)
    }

    /// How far a message has come is known of this device's own.
    @Test func othersMessagesHaveNoDeliveryState() throws {
        let node = DeskNode([ben])
        let message = try node.message("?a", app: "game", from: ben)
        node.show(message)
        let panel = try panel(started(node))
        panel.tap(message.id)
        let conversation = try #require(panel.activeConversation)
        let selected = try #require(conversation.selectedMessage)
        #expect(conversation.parley?.delivery(of: selected) == nil)
    }

    /// Regression: whatever changed on a screen, the host read the whole transcript again.
    @Test func aScreenReadsOnlyWhatMayHaveChanged() async throws {
        let node = DeskNode([ben])
        let session = SessionID()
        for number in 0..<60 { node.show(try node.message("?\(number)", app: "game", from: ben)) }
        let host = started(node)
        let panel = try panel(host)
        try panel.open()
        func read() async throws -> [String?] {
            try await host.bubbles(of: "table", last: 50).map(\.url)
        }
        let expected = (10..<60).map { Optional("?\($0)") }
        node.entriesAsked = []
        #expect(try await read() == expected)
        // A change of the screen that is none of the transcript.
        panel.setStyle(.expanded)
        panel.text = "typed"
        #expect(try await read() == expected)
        #expect(node.entriesAsked == [50])

        // Everything that the node tells of the conversation, and what is sent.
        let message = try node.message("?new", app: "game", from: ben, in: session)
        node.show(message)
        node.emit(.happened(.shown(conversation: "table", message)))
        #expect(try await read().last == "?new")
        node.emit(.happened(.shown(conversation: "elsewhere", message)))
        #expect(try await read().last == "?new")
        #expect(node.entriesAsked == [50, 50])
        node.show(try node.message("?lost", app: "game", from: ben))
        node.emit(.lostEvents)
        #expect(try await read().last == "?lost")
        node.show(try node.message("?mine", app: "game", from: DeskNode.me))
        try await panel.sendField()
        #expect(try await read().last == "?mine")
        // The loss of events has the host read what it remembers, too.
        #expect(node.entriesAsked == [50, 50, TranscriptPage.entriesMax, 50, 50])
    }

    /// A read that the node answers with what was there before a change is not kept.
    @Test func whatChangesDuringAReadIsReadAgain() throws {
        let node = DeskNode([ben])
        let host = started(node)
        _ = try panel(host)
        var found: [[String?]] = []
        func read() {
            host.bubbles(of: "table", last: 50) { result in
                found.append(((try? result.get()) ?? []).map(\.url))
            }
        }
        node.holdsTranscripts = true
        read()
        let message = try node.message("?new", app: "game", from: ben)
        node.show(message)
        node.emit(.happened(.shown(conversation: "table", message)))
        node.answerTranscripts()
        read()
        #expect(found == [[], ["?new"]])
    }
}
