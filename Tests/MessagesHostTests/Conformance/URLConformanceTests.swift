import Foundation
import Messages
import MessagesHost
import MessagesTesting
import Testing

/// messages-api.md, section 11, line 1: the URL.
///
/// `MessagesTests` has the checks that need no network.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct URLConformanceTests {
    /// "Relative URL, URL with `data:` scheme, `url` identical after transport": section 3, "URL
    /// practice"; Apple's page `MSMessage.url`, from which custom schemes differ on purpose.
    @Test(
        arguments: [
            "?", "?Base=base01&Scoops=scoops05", "data:,a%20b", "data:text/plain;base64,aGk=",
            "www.site/path?x=%C3%A9", "myapp://open?x=1", "https://example.org/a/../b?x=1&x=2#f",
            "%7Euser", "?a=b;c=d", "HTTP://EXAMPLE.org:80/", "file:///etc/passwd", "a:b:c",
        ]
    )
    func urlsTravelByteForByte(text: String) throws {
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        let message = MSMessage("?")
        message.url = URL(string: text)
        try #require(message.url?.absoluteString == text)
        conversation.send(message)
        table.harness.settle()
        #expect(Probe.received.first?.url?.absoluteString == text)
    }

    /// "Non-ASCII payload": section 3; query values are percent-encoded by `URLComponents`.
    @Test func queryItemsOfAnyTextArrive() throws {
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        var components = URLComponents()
        components.queryItems = [
            URLQueryItem(name: "é&=", value: "a=b&c"), URLQueryItem(name: "empty", value: nil),
            URLQueryItem(name: "emoji", value: "🍒 +%"),
        ]
        let message = MSMessage("?")
        message.url = components.url
        conversation.send(message)
        table.harness.settle()
        let url = try #require(Probe.received.first?.url)
        let arrived = URLComponents(url: url, resolvingAgainstBaseURL: false)
        #expect(arrived?.queryItems == components.queryItems)
    }

    /// "Nil url": section 3, the optional property of Apple's page `MSMessage.url`.
    @Test func noURLArrivesAsNone() throws {
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        let message = MSMessage("?")
        message.url = nil
        conversation.send(message)
        table.harness.settle()
        let arrived = try #require(Probe.received.first)
        #expect(arrived.url == nil)
        #expect((arrived.layout as? MSMessageTemplateLayout)?.caption == "?")
    }

    /// "5 000/5 001 characters": section 8 and Apple's page `MSMessageErrorCode.urlExceedsMaxSize`.
    @Test(arguments: [true, false])
    func urlsEndAtFiveThousandCharacters(isDirect: Bool) throws {
        let table = try Table()
        let conversation = try table.opened()
        try table.ben.open()
        for (count, code) in [(5_000, nil), (5_001, MSMessageErrorCode.urlExceedsMaxSize.rawValue)]
        {
            let message = MSMessage()
            message.url = URL(string: "?" + String(repeating: "a", count: count - 1))
            let answers = Answers()
            if isDirect {
                conversation.send(message, completionHandler: answers.handler)
            } else {
                conversation.insert(message, completionHandler: answers.handler)
            }
            table.harness.settle()
            #expect(try answers.code == code)
            #expect((message.error as NSError?)?.code == code)
        }
        if !isDirect { try table.ann.send() }
        #expect(Probe.received.compactMap { $0.url?.absoluteString.count } == [5_000])
    }

    /// "Non-ASCII payload" against the limit: section 3, where 1,000 `é` are 6,003 characters.
    @Test func textBeyondASCIIReachesTheLimitEarly() throws {
        let table = try Table()
        let conversation = try table.opened()
        var components = URLComponents()
        let text = String(repeating: "é", count: 1_000)
        components.queryItems = [URLQueryItem(name: "v", value: text)]
        let message = MSMessage()
        message.url = components.url
        #expect(message.url?.absoluteString.count == 6_003)
        let answers = Answers()
        conversation.insert(message, completionHandler: answers.handler)
        table.harness.settle()
        #expect(try answers.code == MSMessageErrorCode.urlExceedsMaxSize.rawValue)
        #expect(table.ann.draft == nil)
    }
}
