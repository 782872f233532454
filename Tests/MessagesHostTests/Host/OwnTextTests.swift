import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// Texts that their authors change, take back, and send as replies.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OwnTextTests {
    private let table: Table

    init() throws { table = try Table() }

    private func lines(_ player: Player) -> [String] { player.bubbles.map(\.line) }

    @Test func anEditedTextStaysWhereItWas() throws {
        try table.ann.write("helo")
        try table.ben.write("hi")
        let text = try #require(table.ann.bubbles.first?.session)
        try table.ann.edit(text, to: "hello")
        for player in [table.ann, table.ben] {
            #expect(lines(player) == ["hello", "hi"])
            #expect(player.bubbles.map(\.isEdited) == [true, false])
            #expect(player.bubbles.map(\.isMyTurn) == [false, false])
        }
    }

    @Test func whatWasTakenBackIsGoneForAll() throws {
        try table.ann.write("wrong window")
        try table.ben.write("hi")
        try table.ann.takeBack(try #require(table.ann.bubbles.first?.session))
        for player in [table.ann, table.ben] { #expect(lines(player) == ["hi"]) }
    }

    @Test func nobodyElseChangesAText() throws {
        try table.ann.write("mine")
        let text = try #require(table.ben.bubbles.first?.session)
        let refused = HarnessError.host(
            .refused(.unknown, "Only texts and files that were sent here can be changed.")
        )
        #expect(throws: refused) { try table.ben.edit(text, to: "yours") }
        #expect(throws: refused) { try table.ben.takeBack(text) }
        // Ben's node refuses it as well, whatever program asks for it.
        var draft = try OutgoingMessage.draft(text: "yours")
        (draft.session, draft.isOwn) = (text, false)
        let owner = try #require(table.ann.participant)
        #expect(throws: HarnessError.host(.node(.notYourTurn(next: [owner])))) {
            try table.ben.post(draft)
        }
        #expect(lines(table.ann) == ["mine"])
    }

    @Test func aLongTextArrivesWhole() throws {
        let text = String(repeating: "grüße ", count: 1_666) + "1234"
        #expect(text.count == 10_000)
        try table.ann.write(text)
        #expect(lines(table.ben) == [text])
        #expect(
            throws: HarnessError.host(.tooLarge(what: "the text", size: 10_001, limit: 10_000))
        ) { try table.ann.write(text + "5") }
    }

    /// Each person has one reaction to a message; it goes with the message.
    @Test func reactionsAreSeenByAll() throws {
        try table.ann.write("who plays?")
        try table.ben.react("👍", to: "who plays?")
        try table.ann.react("👍", to: "who plays?")
        try table.ben.react("🎲", to: "who plays?")
        let (ann, ben) = (try #require(table.ann.participant), try #require(table.ben.participant))
        for player in [table.ann, table.ben] {
            let reactions = try #require(player.bubbles.first).reactions
            #expect(reactions.map(\.emoji).sorted() == ["🎲", "👍"].sorted())
            #expect(Set(reactions.flatMap(\.senders)) == [ann, ben])
            #expect(player.bubbles.count == 1)
        }
        try table.ben.react(nil, to: "who plays?")
        let left = try #require(table.ann.bubbles.first).reactions
        #expect(left.map(\.emoji) == ["👍"])
        #expect(left.map(\.senders) == [[ann]])
        #expect(
            throws: HarnessError.host(
                .refused(.unknown, "A reaction is one character, usually an emoji.")
            )
        ) { try table.ben.react("no", to: "who plays?") }
        try table.ann.edit(try #require(table.ann.bubbles.first?.session), to: "who plays now?")
        #expect(table.ben.bubbles.first?.reactions == [])
    }

    /// An edited reply is still one.
    @Test func aReplyNamesTheSession() throws {
        try table.ann.write("who plays?")
        let question = try #require(table.ben.bubbles.first?.session)
        try table.ben.write("me", replyingTo: question)
        try table.ben.edit(try #require(table.ben.bubbles.last?.session), to: "me!")
        #expect(table.ann.bubbles.map(\.reply) == [nil, question])
        #expect(lines(table.ann) == ["who plays?", "me!"])
    }
}
