import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// Three players of `Tally` whose match has begun.
@MainActor
struct TallyMatch {
    let table: Harness
    let (ann, ben, cat): (Player, Player, Player)

    static func app(parts: Bool) -> HostedApp {
        HostedApp(Tally.self, id: "tally", seats: 2...3, parts: parts)
    }

    /// Begins a match that dan watches.
    init(parts: Bool = false) throws {
        let app = Self.app(parts: parts)
        try self.init(at: Harness(apps: [app], participants: ["ann", "ben", "cat", "dan"]))
    }

    /// The same among others at a table.
    init(at table: Harness) throws {
        self.table = table
        (ann, ben, cat) = (try table["ann"], try table["ben"], try table["cat"])
        try ann.open()
        try ann.tap("Who wants to play?")
        try ben.takeSeat()
        try cat.takeSeat()
        try ann.start()
        for player in [ben, cat] { try player.tapBubble() }
    }
}

extension Player {
    var id: UUID { participant ?? UUID() }

    /// Moves in the match of `Tally` that is shown, with what is added to the message.
    ///
    /// - Returns: whether the move was sent.
    @discardableResult
    func move(
        at table: Harness,
        _ add: (ParleyConversation, MSMessage) -> Void = { _, _ in }
    ) throws -> Bool {
        let conversation = try #require(conversation)
        let session = try #require(controller(Tally.self)?.matchSession)
        let message = MSMessage(session: session)
        message.url = URL(string: "?n=1")
        message.summaryText = "A move"
        if let parley = conversation.parley { add(parley, message) }
        var isSent = false
        conversation.send(message) { error in MainActor.assumeIsolated { isSent = error == nil } }
        table.settle()
        return isSent
    }
}
