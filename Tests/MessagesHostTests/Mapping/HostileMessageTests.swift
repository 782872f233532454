import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import TestSupport
import Testing

/// Messages of peers that no app may see: each is a typed fault, the app gets no part of it, and
/// later messages arrive as before.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct HostileMessageTests {
    private static let app = HostedApp(Probe.self).speaks

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: MessageFault
        let make: @Sendable (inout Draft) -> Void
    }

    nonisolated private static func picture(
        _ what: String,
        _ type: String,
        _ bytes: [UInt8],
        _ fault: MessageFault
    ) -> Case {
        Case(testDescription: what, fault: fault) { draft in
            draft.content.layout = ContentLayout()
            draft.picture = Picture(type: type, bytes: Data(bytes))
        }
    }

    nonisolated static let cases: [Case] = [
        Case(testDescription: "spaces in the URL", fault: .badURL) { $0.content.url = "?a=b c" },
        Case(testDescription: "a URL that is none", fault: .badURL) {
            $0.content.url = "http://[::1"
        },
        Case(testDescription: "control characters", fault: .badURL) {
            $0.content.url = "?\u{0}\u{1B}[2J"
        },
        Case(testDescription: "bytes that are no ASCII", fault: .badURL) {
            $0.content.url = "?é=🎲"
        },
        Case(testDescription: "nesting without end", fault: .badURL) {
            $0.content.url = "?" + String(repeating: "[{\"", count: 1_600)
        },
        picture(
            "a picture that is another",
            "image/jpeg",
            Pictures.gif,
            .pictureType(said: "image/jpeg", found: "image/gif")
        ),
        picture(
            "HTML as a picture",
            "image/png",
            Array("<html><script>alert(1)</script>".utf8),
            .notAPicture(said: "image/png")
        ),
        picture(
            "half a header",
            "image/png",
            Array(Pictures.png(width: 1, height: 1).prefix(20)),
            .notAPicture(said: "image/png")
        ),
        picture(
            "no width",
            "image/png",
            Pictures.png(width: 0, height: 9),
            .notAPicture(said: "image/png")
        ),
        picture(
            "a picture too wide for any memory",
            "image/gif",
            Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0],
            .notAPicture(said: "image/gif")
        ),
        picture(
            "a program",
            "application/x-executable",
            [0x7F, 0x45, 0x4C, 0x46],
            .unknownMedia("application/x-executable")
        ),
        picture("a type with a path", "../../x", [1], .unknownMedia("../../x")),
    ]

    @Test(arguments: cases)
    func faultyMessagesAreNotGivenToTheApp(_ hostile: Case) throws {
        let table = try Table()
        _ = try table.opened()
        var content = MessageContent()
        content.app = Self.app
        content.url = "?fine"
        var draft = Draft(content: content)
        hostile.make(&draft)
        try table.ben.post(draft)
        #expect(Probe.take() == [])
        #expect(Probe.faults == [hostile.fault])
        // A person sees that there is something, and what happens when it is tapped.
        #expect(table.ann.bubbles.count == 1)
        #expect(throws: HarnessError.host(.faulty(hostile.fault))) { try table.ann.tapBubble() }
        #expect(table.ann.conversation?.selectedMessage == nil)
        // The next message of the session is as good as any.
        var good = Draft(session: draft.session, content: content)
        good.content.url = "?good"
        try table.ben.post(good)
        #expect(Probe.received.map { $0.url?.absoluteString } == ["?good"])
    }

    @Test func messagesOfOtherAppsAreNotForThisOne() throws {
        let table = try Table()
        _ = try table.opened()
        for app in [nil, "", "other", Self.app + "2", "parley.text"] {
            var content = MessageContent()
            content.app = app
            content.url = "?a"
            try table.ben.post(Draft(content: content))
        }
        #expect(Probe.take() == [])
        #expect(Probe.faults == [])
        #expect(throws: (any Error).self) { try table.ann.tapBubble() }
    }

    @Test func aSessionThatEndsIsQuiet() throws {
        let table = try Table()
        _ = try table.opened()
        var content = MessageContent()
        content.app = Self.app
        content.url = "?a"
        var draft = Draft(content: content)
        try table.ben.post(draft)
        Probe.calls = []
        draft.isEnd = true
        try table.ben.post(draft)
        #expect(Probe.take() == [])
        #expect(Probe.faults == [])
    }

    /// Any strings in any place: an app gets all of it, or nothing and a fault.
    @Test(arguments: 0..<UInt64(100))
    func anyStringsAreTakenWholeOrRefused(seed: UInt64) throws {
        var random = SeededRandom(seed: seed &* 7919)
        let table = try Table()
        _ = try table.opened()
        var content = MessageContent()
        content.app = Self.app
        content.url = Self.junk(2_000, using: &random)
        content.summaryText = Self.junk(60, using: &random)
        content.accessibilityLabel = Self.junk(250, using: &random)
        var layout = ContentLayout()
        layout.caption = Self.junk(250, using: &random)
        layout.imageTitle = Self.junk(250, using: &random)
        layout.isLive = Bool.random(using: &random)
        content.layout = layout
        var draft = Draft(content: content)
        let types = ["image/png", "image/gif", "video/mp4", "text/html", "\u{0}", "image/"]
        if let type = types.randomElement(using: &random), Bool.random(using: &random) {
            let count = Int.random(in: 1...64, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let lead = Bool.random(using: &random) ? Array("GIF89a".utf8) : []
            draft.picture = Picture(type: type, bytes: Data(lead + bytes))
        }
        do {
            try table.ben.post(draft)
        } catch {
            // Ben's own node refused it, so it never was on the wire.
            return
        }
        #expect(Probe.received.count + Probe.faults.count == 1, "seed \(seed)")
        guard let message = Probe.received.first else { return }
        let contents = MessageContents(message)
        #expect(contents.urlString == content.url, "seed \(seed)")
        #expect(contents.summaryText == content.summaryText, "seed \(seed)")
        #expect(contents.layout?.template.caption == layout.caption, "seed \(seed)")
        #expect(!table.ann.transcript.isEmpty, "seed \(seed)")
    }

    private static func junk(_ count: Int, using random: inout SeededRandom) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...count, using: &random) {
            let limit: UInt32 = Bool.random(using: &random) ? 0x80 : 0x11_0000
            let value = UInt32.random(in: 0..<limit, using: &random)
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }
}
