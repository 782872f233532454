import Foundation
import ParleyCore
import ParleyNode
import TestSupport
import Testing

/// Searching the messages of a node.
@Suite(.timeLimit(.minutes(5)))
struct SearchTests {
    private static func draft(_ text: String, _ session: SessionID = SessionID()) -> Draft {
        var draft = Draft(session: session, content: MessageContent())
        draft.content.layout = ContentLayout()
        draft.content.layout?.caption = text
        return draft
    }

    @Test func messagesAreFoundInAllConversationsWhereverTheyComeFrom() async throws {
        let nodes = try TestNodes()
        let (one, address) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two", peers: [address])
        _ = try await one.createConversation(named: "games")
        _ = try await one.createConversation(named: "home")
        _ = try await two.join(try await one.invite(to: "games").link)
        _ = try await one.send(Self.draft("milk and bread"), to: "home")
        let me = try #require(try await two.conversations().first).me
        _ = try await two.send(Self.draft("$\(me.id) likes Crème brûlée"), to: "games")
        let found = try await eventually("the message of the other node") {
            let found = try await one.search("brulee CREME")
            return found.hits.isEmpty ? nil : found
        }
        #expect(found.hits.map(\.text) == ["two likes Crème brûlée"])
        #expect(found.hits.map(\.conversation) == ["games"])
        #expect(found.hits.first?.sender.id == me.id)
        #expect(try await one.search("two crem").hits.count == 1)
        #expect(try await one.search("bread").hits.map(\.conversation) == ["home"])
        #expect(try await one.search("bread", in: "games").hits.isEmpty)
        #expect(try await one.search(" \n").hits.isEmpty)
        await #expect(throws: NodeError.unknownConversation("no")) {
            try await one.search("bread", in: "no")
        }
        try await one.leaveConversation(named: "home", force: true)
        #expect(try await one.search("bread").hits.isEmpty)
        await one.stop()
        await two.stop()
    }

    @Test func onlyWhatIsShownIsFound() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        _ = try await node.createConversation(named: "games")
        let session = SessionID()
        for text in ["first words", "second words"] {
            _ = try await node.send(Self.draft(text, session), to: "games")
            #expect(try await node.search("words").hits.map(\.text) == [text])
        }
        #expect(try await node.search("first").hits.isEmpty)
        var end = Self.draft("", session)
        end.isEnd = true
        end.content = MessageContent()
        _ = try await node.send(end, to: "games")
        #expect(try await node.search("words").hits.isEmpty)
        for number in 1...400 {
            _ = try await node.send(Self.draft("number \(number)"), to: "games")
        }
        let found = try await node.search("number", limit: 3)
        #expect(found.hits.map(\.text) == ["number 400", "number 399", "number 398"])
        #expect(found.hasMore && found.isComplete)
        #expect(try await node.search("number 7", limit: 200).hits.count == 76)
        await node.stop()
    }

    /// Regression: what was said first in a conversation that was joined again was not found.
    @Test func whatIsJoinedAgainIsReadAnew() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        let name = try await node.join("open:lobby").name
        for text in ["old one", "old two", "old three"] {
            _ = try await node.send(Self.draft(text), to: name)
        }
        #expect(try await node.search("old").hits.count == 3)
        try await node.leaveConversation(named: name, force: true)
        _ = try await node.join("open:lobby")
        _ = try await node.send(Self.draft("new one"), to: name)
        #expect(try await node.search("one").hits.map(\.text) == ["new one"])
        await node.stop()
    }

    /// Texts are compared with a plain search of all texts.
    @Test(arguments: 0..<20) func texts(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = seed.isMultiple(of: 2) ? 2_000 : SearchTexts.bytesMax
        var texts = SearchTexts(limit: limit)
        var plain: [SearchTexts.Key: (text: String, at: Int)] = [:]
        let letters = ["a", "b", "é", "E"]
        for step in 0..<400 {
            let tag = SessionTag(Bytes16(0, UInt64.random(in: 0..<60, using: &random)))
            let key = SearchTexts.Key(conversation: ConversationID(Bytes32(1, 2, 3, 4)), tag: tag)
            let text = (0..<Int.random(in: 0..<30, using: &random))
                .map { _ in letters.randomElement(using: &random) ?? "" }.joined()
            let sentAt = Date(timeIntervalSince1970: Double(step))
            texts.set(SearchWords.folded(text), of: key, sentAt: sentAt)
            plain[key] = text.isEmpty ? nil : (text, step)
            let words = SearchWords("ba \(letters.randomElement(using: &random) ?? "")e")
            let found = texts.find(words, in: nil, count: 100)
            var expected: [(key: SearchTexts.Key, at: Int)] = []
            for (key, value) in plain {
                let folded = String(decoding: SearchWords.folded(value.text), as: UTF8.self)
                let hasAll = words.parts.allSatisfy {
                    folded.contains(String(decoding: $0, as: UTF8.self))
                }
                if hasAll { expected.append((key, value.at)) }
            }
            let keys = expected.sorted { $0.at > $1.at }.map(\.key)
            if texts.hasDropped {
                #expect(found == Array(keys.prefix(found.count)))
            } else {
                #expect(found == keys)
            }
        }
        #expect(texts.hasDropped == (limit == 2_000))
    }

    @Test(arguments: [
        ("short", "x", "short"),
        ("a\nb  c", "b", "a b c"),
        (
            String(repeating: "l ", count: 100) + "Word" + String(repeating: " r", count: 100),
            "word",
            "…" + String(repeating: "l ", count: 15) + "Word" + String(repeating: " r", count: 42)
                + "…"
        ),
        (String(repeating: "é", count: 130), "e", String(repeating: "é", count: 118) + "…"),
    ])
    func excerpts(text: String, words: String, excerpt: String) {
        #expect(SearchWords(words).excerpt(of: text) == excerpt)
        #expect(excerpt.count <= 120)
    }
}
