import Foundation
import ParleyAPI

/// One game of noughts and crosses, which two nodes play in turns in one session.
actor DemoMatch {
    private let players: [DemoNode]
    private let screen: DemoScreen
    private let ready: ContinuousClock.Instant
    private var participants: [String] = []
    private var moves = 0
    private var firstShownAfter: Duration?

    private static let patience = Duration.seconds(10)
    /// The moves of the game: cells in the order in which they are taken.
    private static let cells = [4, 0, 2, 6, 3, 5, 1, 7, 8]

    /// A match of two nodes that share the conversation `demo`.
    init(players: [DemoNode], screen: DemoScreen, ready: ContinuousClock.Instant) {
        self.players = players
        self.screen = screen
        self.ready = ready
    }

    /// Plays the game to its end.
    func playGame(pause: Duration) async throws {
        if participants.isEmpty {
            for player in players { participants.append(try await player.participant()) }
        }
        let session = UUID().uuidString
        var board = DemoBoard()
        for (turn, cell) in Self.cells.enumerated() {
            let player = turn % 2
            board.take(cell)
            let isOver = board.isOver
            try await send(board, cell, by: player, in: session, isOver: isOver)
            moves += 1
            try await waitUntilShown(session, revision: UInt64(turn + 1))
            if firstShownAfter == nil { firstShownAfter = ContinuousClock.now - ready }
            try await draw()
            if isOver { break }
            try await Task.sleep(for: pause)
        }
    }

    /// Checks that both nodes show the same, and reports the result.
    ///
    /// - Throws: a `Problem` with the first difference.
    func finish() async throws {
        var difference: String?
        let isSame = try await DemoWait.until(Self.patience) { [players] in
            try await Self.difference(of: players) == nil
        }
        if !isSame { difference = try await Self.difference(of: players) }
        if let difference { throw Problem(.demoFailed, difference) }
        let first = firstShownAfter.map { $0 / .seconds(1) } ?? 0
        try screen.finish(
            DemoResult(same: true, games: 1, moves: moves, firstShownSeconds: first),
            transcripts: [try await players[0].transcript(), try await players[1].transcript()],
            names: players.map(\.name)
        )
    }

    private func send(
        _ board: DemoBoard,
        _ cell: Int,
        by player: Int,
        in session: String,
        isOver: Bool
    ) async throws {
        let name = players[player].name
        let other = players[1 - player].name
        var document = SendDocument()
        document.session = session
        document.url = board.url
        document.layout.caption = isOver ? board.result : "Your move, \(other)"
        document.layout.imageTitle = "Noughts and crosses"
        document.imageData = board.picture
        document.imageType = "image/png"
        document.summary = "\(name) took \(DemoBoard.cellNames[cell])"
        document.accessibilityLabel = "A board of noughts and crosses: \(board.text)"
        document.app = "org.parley.demo"
        document.next = isOver ? nil : [participants[1 - player]]
        _ = try await players[player].client.post(
            "conversations/demo/messages",
            document,
            as: SentMessage.self
        )
    }

    /// Waits until both nodes show the move and its picture.
    private func waitUntilShown(_ session: String, revision: UInt64) async throws {
        for player in players {
            let isShown = try await DemoWait.until(Self.patience) {
                let shown = try await player.transcript().compactMap(\.message)
                    .last { $0.session.description == session }
                return shown?.revision == revision && shown?.picture?.isHere == true
            }
            guard isShown else {
                throw Problem(
                    .demoFailed,
                    "\(player.name) did not show move \(revision) within "
                        + "\(Self.patience.components.seconds) s."
                )
            }
        }
    }

    private func draw() async throws {
        screen.draw(
            [try await players[0].transcript(), try await players[1].transcript()],
            names: players.map(\.name)
        )
    }

    /// The first difference between the transcripts of the nodes, nil if there is none.
    private static func difference(of players: [DemoNode]) async throws -> String? {
        let first = try await players[0].transcript().map(Shown.init)
        let second = try await players[1].transcript().map(Shown.init)
        guard !first.isEmpty else { return "No message is shown." }
        guard first != second else { return nil }
        let names = players.map(\.name)
        guard first.count == second.count else {
            return "\(names[0]) shows \(first.count) entries and \(names[1]) \(second.count)."
        }
        let difference = zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }
        return
            "\(names[0]) and \(names[1]) show different entries at index "
            + "\(difference?.offset ?? 0)."
    }

    /// The part of an entry that must be equal on both nodes.
    private struct Shown: Equatable {
        let isMessage: Bool
        let id: MessageID
        let url: String?
        let picture: PictureInfo?

        init(_ entry: TranscriptEntry) {
            isMessage = entry.message != nil
            id = entry.summary.id
            url = entry.message?.content?.url
            picture = entry.message?.picture
        }
    }
}

/// The document that `demo --once --json` prints.
struct DemoResult: Codable, Sendable {
    var same: Bool
    var games: Int
    var moves: Int
    /// The time from the readiness of both nodes until the second node showed the first message.
    var firstShownSeconds: Double
}
