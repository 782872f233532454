import Messages
import Testing

/// The lines of messages-api.md, section 11, as far as they are kept without a network.
///
/// Lines about drafts, collapsing, arrivals and the media context concern the host and are in
/// `Tests/MessagesHostTests/Conformance`.
@MainActor @Suite struct ConformanceTests {
    // MARK: Line 1; sections 3 and 8, Apple's `url` page and rows 13 and 14 of the complaints

    /// "Relative URL, URL with `data:` scheme": section 3, "URL practice"; Apple's page
    /// `MSMessage.url`.
    @Test(arguments: [
        "?Base=base01&Scoops=scoops05", "?a", "?", "data:,", "data:text/plain;base64,aGk=?x=%20",
        "www.example.com/path?a=b", "mygame://board/3?x=1",
        "https://example.com/%C3%A9?q=%F0%9F%8D%92#f",
        "?a=1&a=2&&b", "",
    ])
    func urlsAreCarriedAsTheyAre(_ text: String) throws {
        let url = try #require(text.isEmpty ? URLComponents().url : URL(string: text))
        let message = MSMessage()
        message.url = url
        let received = MSMessage(MessageContents(message), status: MessageStatus())
        #expect(received.url == url)
        #expect(received.url?.absoluteString == text)
        #expect(Array(text.utf8) == Array((received.url?.absoluteString ?? "").utf8))
    }

    /// "Non-ASCII payload": section 3, where query values are percent-encoded first.
    @Test func queryItemsOfAnyTextSurvive() {
        var components = URLComponents()
        components.queryItems = [
            URLQueryItem(name: "é&=", value: "a=b&c"), URLQueryItem(name: "empty", value: nil),
            URLQueryItem(name: "emoji", value: "🍒 +%"),
        ]
        let message = MSMessage()
        message.url = components.url
        let received = MSMessage(MessageContents(message), status: MessageStatus())
        let items = received.url.flatMap {
            URLComponents(url: $0, resolvingAgainstBaseURL: false)?.queryItems
        }
        #expect(items == components.queryItems)
    }

    /// "Nil url": section 3, the optional property of Apple's page `MSMessage.url`.
    @Test func noURLStaysNoURL() {
        let received = MSMessage(MessageContents(MSMessage()), status: MessageStatus())
        #expect(received.url == nil)
        #expect(MessageContents(received).isWhole)
    }

    /// "5 000/5 001 characters": section 8; Apple's page `MSMessageErrorCode.urlExceedsMaxSize`.
    @Test func urlsEndAtFiveThousandCharacters() {
        let host = DeskHost()
        let answers = Answers(host)
        let conversation = host.makeConversation()
        for count in [5_000, 5_001] {
            let message = MSMessage()
            message.url = URL(string: "?" + String(repeating: "a", count: count - 1))
            conversation.insert(message, completionHandler: answers.handler)
        }
        #expect(answers.all == [nil, MSMessageErrorCode.urlExceedsMaxSize.rawValue])
        var contents = MessageContents()
        contents.urlString = "?" + String(repeating: "a", count: 5_000)
        #expect(throws: MessagesFailure.self) { try contents.checkURL() }
        #expect(throws: Never.self) { try contents.checkURL(charactersMax: 6_000) }
    }

    /// A text of a peer that is no URL is refused, so no app gets a part of a message.
    @Test(arguments: ["http://[::1", "a b", "%zz", "http://a/\u{0}", "?é", "http://\u{202E}"])
    func whatIsNoURLIsRefused(_ text: String) {
        var contents = MessageContents()
        contents.urlString = text
        #expect(contents.url == nil && !contents.isWhole)
    }

    // MARK: Line 2; section 4, "insert family"

    /// "Replaced draft's completion had already fired": Apple's page
    /// `MSConversation.insert(_:completionHandler:)`.
    @Test func eachInsertIsAnsweredInItsOrder() {
        let host = DeskHost()
        let answers = Answers(host)
        let conversation = host.makeConversation()
        let (first, second) = (MSMessage(), MSMessage())
        first.url = URL(string: "?draft=1")
        second.url = URL(string: "?draft=2")
        conversation.insert(first, completionHandler: answers.handler)
        #expect(answers.all == [nil])
        conversation.insert(second, completionHandler: answers.handler)
        #expect(answers.all == [nil, nil])
        #expect(host.kept.inserted.last?.contents?.urlString == "?draft=2")
    }

    // MARK: Line 3; section 3, `isPending` and `senderParticipantIdentifier`

    /// "`isPending` true/false transitions; sender UUID zero before staging, equal to local after
    /// sending": Apple's pages of both properties, and the header's of `error`.
    @Test func pendingUntilSendingStarts() {
        let host = DeskHost()
        let conversation = host.makeConversation()
        let message = MSMessage()
        #expect(message.isPending && message.senderParticipantIdentifier == .zero)
        conversation.insert(message)
        #expect(message.isPending)
        conversation.send(message)
        #expect(!message.isPending)
        #expect(message.senderParticipantIdentifier == conversation.localParticipantIdentifier)
        #expect(message.error == nil)
        message.status.failed(MessagesFailure(.unknown, "Nobody answers.").error)
        #expect((message.error as NSError?)?.code == -1)
    }

    /// Here a participant has the same UUID on every node, which differs from Apple's on purpose.
    @Test func receivedMessagesAreNotPending() {
        let sender = UUID()
        let status = MessageStatus(.init(isPending: false, sender: sender))
        let received = MSMessage(MessageContents(MSMessage(session: MSSession())), status: status)
        #expect(!received.isPending && received.senderParticipantIdentifier == sender)
    }

    // MARK: Line 4; section 5.2, "bubble tapped, app active"

    /// "`willSelect` sees the old, `didSelect` the new": Apple's pages of both.
    @Test func theSelectedMessageChangesBetweenTheCallbacks() {
        let app = Recorder()
        let conversation = DeskHost().makeConversation()
        let (old, new) = (MSMessage(session: MSSession()), MSMessage(session: MSSession()))
        conversation.selectedMessage = old
        app.willSelect(new, conversation: conversation)
        conversation.selectedMessage = new
        app.didSelect(new, conversation: conversation)
        #expect(app.selected == [old, new])
    }

    // MARK: Line 5 and 6; sections 5.2 and 6: sessions compare by value, so a reply finds its board

    /// Sessions are compared as in the sample on Apple's page of `didReceive`; one bubble for a
    /// session, as Apple's page `MSSession` says, needs it as well.
    @Test func repliesAreOfTheSameSession() {
        let conversation = DeskHost().makeConversation()
        let received = MSMessage(
            MessageContents(MSMessage(session: MSSession())),
            status: MessageStatus(.init(isPending: false, sender: UUID()))
        )
        conversation.selectedMessage = received
        let reply = MSMessage(session: conversation.selectedMessage?.session ?? MSSession())
        let arrived = MSMessage(MessageContents(reply), status: MessageStatus())
        #expect(arrived.session == conversation.selectedMessage?.session)
        #expect(arrived.session !== conversation.selectedMessage?.session)
        #expect(Set([arrived.session, received.session]).count == 1)
        #expect(MSMessage(session: MSSession()).session != received.session)
        #expect(MSMessage().session == nil)
    }

    // MARK: Line 7; section 5.1, `requestPresentationStyle(_:)`

    /// "Same style = silent; `.transcript` argument ignored; `presentationStyle` old during
    /// `willTransition`": Apple's page and header of `requestPresentationStyle(_:)`.
    ///
    /// The host knows which style the app has when the request is carried out.
    @Test func asksForAStyleOfItsOwnOnly() {
        let desk = AppDesk()
        let app = Recorder()
        app.host = desk
        app.requestPresentationStyle(.transcript)
        #expect(desk.requests == [])
        app.requestPresentationStyle(.expanded)
        #expect(desk.requests == [.expanded])
        app.willTransition(to: .expanded)
        app.presentationStyle = .expanded
        app.didTransition(to: .expanded)
        #expect(app.styles == [.compact, .expanded])
    }

    // MARK: Line 8; section 5.1, `dismiss()`

    /// "No-op in `.transcript`": Apple's header of `dismiss()`.
    @Test func dismissesOnceAndNeverInTheTranscript() {
        let desk = AppDesk()
        let app = Recorder()
        app.host = desk
        app.dismiss()
        #expect(desk.dismissals == 1)
        app.presentationStyle = .transcript
        app.dismiss()
        #expect(desk.dismissals == 1)
    }

    // MARK: Line 9; section 5.3

    /// "Subclasses that never call `super` behave identically": counted in apps.
    @Test func superDoesNothing() {
        let app = MSMessagesAppViewController()
        let conversation = DeskHost().makeConversation()
        let message = MSMessage()
        app.willBecomeActive(with: conversation)
        app.didBecomeActive(with: conversation)
        app.willSelect(message, conversation: conversation)
        app.didSelect(message, conversation: conversation)
        app.didReceive(message, conversation: conversation)
        app.didStartSending(message, conversation: conversation)
        app.didCancelSending(message, conversation: conversation)
        app.willTransition(to: .expanded)
        app.didTransition(to: .expanded)
        app.willResignActive(with: conversation)
        app.didResignActive(with: conversation)
        #expect(app.activeConversation == nil && conversation.selectedMessage == nil)
        #expect(app.presentationStyle == .compact && message.isPending && !app.isViewLoaded)
        #expect(app.contentSizeThatFits(CGSize(width: 3, height: 4)) == CGSize(width: 3, height: 4))
    }

    // MARK: Line 10; section 7

    /// "Layout copied on assignment": Apple's header of `MSMessage.layout`, section 3.
    @Test func layoutsAreCopiedWhenSet() {
        let layout = MSMessageTemplateLayout()
        let message = MSMessage()
        layout.caption = "before"
        message.layout = layout
        layout.caption = "after"
        #expect((message.layout as? MSMessageTemplateLayout)?.caption == "before")
        let live = MSMessageLiveLayout(alternateLayout: layout)
        message.layout = live
        layout.caption = "later"
        #expect((message.layout as? MSMessageLiveLayout)?.alternateLayout.caption == "after")
    }

    /// "All seven strings and `accessibilityLabel`": Apple's page `MSMessageTemplateLayout`.
    @Test func everythingSurvives() {
        let layout = MSMessageTemplateLayout()
        layout.caption = "$\(UUID())"
        layout.subcaption = "subcaption"
        layout.trailingCaption = "trailing caption"
        layout.trailingSubcaption = "\u{202E}\u{0}🍒"
        layout.imageTitle = ""
        layout.imageSubtitle = "image subtitle"
        layout.image = UIImage(data: Pictures.jpeg(width: 4, height: 4))
        layout.mediaFileURL = URL(filePath: "/tmp/b.mov")
        let message = MSMessage(session: MSSession())
        message.layout = MSMessageLiveLayout(alternateLayout: layout)
        message.summaryText = "summary"
        message.accessibilityLabel = "label"
        message.shouldExpire = true
        let contents = MessageContents(message)
        #expect(MessageContents(MSMessage(contents, status: MessageStatus())) == contents)
        #expect(contents.layout?.template.image?.data == layout.image?.encoded?.data)
        #expect(contents.layout?.template.trailingSubcaption == layout.trailingSubcaption)
        #expect(MessageContents(MSMessage()).layout == nil)
    }

    /// Section 3, "copying/coding": Apple's header of `MSMessage`.
    @Test func copiesAreMessagesOfTheirOwn() throws {
        let message = MSMessage(session: MSSession())
        message.url = URL(string: "?a")
        let copy = try #require(message.copy() as? MSMessage)
        #expect(MessageContents(copy) == MessageContents(message))
        copy.status.sent(by: UUID())
        copy.url = nil
        #expect(message.isPending && message.url != nil)
    }

    // MARK: Line 11 is `ArchiveTests`. Line 12; section 4, ".media context"

    /// Apple's page `presentationContext`, and section 9 for the default.
    @Test func theContextIsMessagesUnlessTheHostSaysMedia() {
        let app = MSMessagesAppViewController()
        #expect(app.presentationContext == .messages)
        app.presentationContext = .media
        #expect(app.presentationContext == .media)
    }

    // MARK: Section 8 and the raw values of section 2

    /// Raw values of section 2, on which several bindings agree; the domain was observed.
    @Test func errorsAreApples() {
        let codes: [MSMessageErrorCode] = [
            .unknown, .fileNotFound, .fileUnreadable, .improperFileType, .improperFileURL,
            .stickerFileImproperFileAttributes, .stickerFileImproperFileSize,
            .stickerFileImproperFileFormat, .urlExceedsMaxSize, .sendWithoutRecentInteraction,
            .sendWhileNotVisible, .apiUnavailableInPresentationContext,
        ]
        #expect(codes.map(\.rawValue) == [-1] + Array(1...11))
        #expect(MSMessagesErrorDomain == "com.apple.messages.messagesapp-error")
        #expect(MSMessagesAppPresentationStyle(rawValue: 2) == .transcript)
        #expect(MSMessagesAppPresentationContext(rawValue: 1) == .media)
        #expect(MSStickerSize(rawValue: 2) == .large)
    }
}

@MainActor private final class AppDesk: MessagesAppHosting {
    var requests: [MSMessagesAppPresentationStyle] = []
    var dismissals = 0

    func presentationStyleRequested(
        _ style: MSMessagesAppPresentationStyle,
        by controller: MSMessagesAppViewController
    ) {
        requests.append(style)
    }

    func dismissRequested(by controller: MSMessagesAppViewController) {
        dismissals += 1
    }

    var documentsDirectory: URL? { nil }
}

/// An app that never calls `super`.
private final class Recorder: MSMessagesAppViewController {
    var selected: [MSMessage?] = []
    var styles: [MSMessagesAppPresentationStyle] = []

    override func willSelect(_ message: MSMessage, conversation: MSConversation) {
        selected.append(conversation.selectedMessage)
    }

    override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        selected.append(conversation.selectedMessage)
    }

    override func willTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        styles.append(self.presentationStyle)
    }

    override func didTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        styles.append(self.presentationStyle)
    }
}
