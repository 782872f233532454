import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// What players seal for single others.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct PartTests {
    private let table: Harness
    private let (ann, ben, cat): (Player, Player, Player)

    init() throws {
        let match = try TallyMatch(parts: true)
        table = match.table
        (ann, ben, cat) = (match.ann, match.ben, match.cat)
    }

    /// Moves, and seals texts for others.
    private func move(
        _ player: Player,
        sealing texts: [(Player, String)] = [],
        at other: Harness? = nil
    ) throws {
        try player.move(at: other ?? table) { parley, message in
            for (other, text) in texts {
                parley.seal(Data(text.utf8), for: other.id, with: message)
            }
        }
    }

    /// What a player can read, by who sealed it.
    private func read(_ player: Player) -> [String] {
        player.match?.parts.compactMap { part in
            part.content.map { String(decoding: $0, as: UTF8.self) }
        } ?? ["no match"]
    }

    @Test func onlyTheRecipientOpensIt() throws {
        try move(ann, sealing: [(ben, "for ben"), (cat, "for cat")])
        #expect(read(ben) == ["for ben"])
        #expect(read(cat) == ["for cat"])
        #expect(read(ann) == [])
        #expect(read(try table["dan"]) == [])
        #expect(ben.match?.parts.map(\.author) == [ann.id, ann.id])
        #expect(ben.match?.parts.map(\.recipient) == [ben.id, cat.id])
        // The others carry it along, also to who was away, and over a restart.
        cat.goAway()
        try move(ben, sealing: [(ann, "for ann")])
        cat.comeBack()
        #expect(read(cat) == ["for cat"])
        #expect(read(ann) == ["for ann"])
        for player in table.players { #expect(player.match?.violations.isEmpty == true) }
        // A later one of the same author for the same player replaces it.
        try cat.tapBubble()
        try move(cat)
        try move(ann, sealing: [(ben, "another")])
        #expect(read(ben) == ["another"])
        #expect(read(cat) == ["for cat"])
        #expect(ben.match?.parts.count == 3)
    }

    @Test func whatIsTooLongIsRefused() throws {
        try move(ann, sealing: [(ben, String(repeating: "x", count: 2_021))])
        #expect(ben.match?.parts.isEmpty == true)
        try move(ann, sealing: [(ben, String(repeating: "x", count: 2_020))])
        #expect(read(ben).first?.count == 2_020)
    }

    /// Another program changes what somebody else has sealed.
    @Test func theOwnNodeRefusesToChangeIt() throws {
        try move(ann, sealing: [(cat, "for cat")])
        let session = SessionID(try #require(ann.match?.session))
        var content = MessageContent()
        content.app = "tally"
        content.url = "?n=2"
        var match = Match(.running, least: 2, most: 3)
        match.seats = [ann, ben, cat].map(\.id)
        match.turn = [2]
        match.parts = [Match.Part(to: 2, by: 0, key: Data(count: 32), sealed: Data(count: 40))]
        content.match = match
        let draft = Draft(session: session, content: content)
        #expect(throws: HarnessError.host(.node(.notPlayable(.partChanged)))) {
            try ben.post(draft)
        }
        #expect(read(cat) == ["for cat"])
    }

    /// What somebody else has sealed opens for nobody as one's own.
    @Test func aCopyUnderAnotherNameOpensForNobody() throws {
        try move(ann, sealing: [(cat, "for cat"), (ben, "for ben")])
        let sealed = try #require(ben.matchState?.parts)
        #expect(sealed.map(\.by) == [0, 0])
        let session = SessionID(try #require(ann.match?.session))
        var content = MessageContent()
        content.app = "tally"
        content.url = "?n=2"
        var match = Match(.running, least: 2, most: 3)
        match.seats = [ann, ben, cat].map(\.id)
        match.turn = [2]
        match.parts = sealed.map { Match.Part(to: 2, by: 1, key: $0.key, sealed: $0.sealed) }
        content.match = match
        try ben.post(Draft(session: session, content: content))
        #expect(cat.match?.parts.map(\.author) == [ben.id, ben.id])
        #expect(read(cat) == [])
        #expect(read(ben) == [])
    }

    /// Regression: one player without a key kept the dealer from moving at all.
    @Test func whoGivesNoKeyGetsNothingAndStopsNobody() throws {
        let sealing = TallyMatch.app(parts: true)
        let match = try TallyMatch(
            at: Harness(participants: [
                ("ann", [TallyMatch.app(parts: false)]), ("ben", [sealing]), ("cat", [sealing]),
            ])
        )
        let (table, ann, ben, cat) = (match.table, match.ann, match.ben, match.cat)
        try ann.tap("Add")
        try move(ben, sealing: [(ann, "for ann"), (cat, "for cat")], at: table)
        #expect(cat.match?.isMyTurn == true)
        #expect(read(cat) == ["for cat"])
        #expect(read(ann) == [])
        for player in table.players {
            #expect(player.match?.parts.filter(\.isEmpty).map(\.recipient) == [ann.id])
            #expect(player.match?.violations == [])
        }
    }
}
