import Foundation
import Messages

/// Uses the app as a person would; ends the process if something is wrong.
@main
@MainActor
struct Check {
    static func main() async throws {
        let players = [UUID(), UUID()]
        var game = Game()
        game.moves = ["e4", "e5", "Nf3"]
        let session = MSSession()
        let message = MSMessage(session: session)
        message.layout = MSMessageTemplateLayout(game: game, names: players)
        var components = URLComponents()
        components.queryItems = game.queryItems
        message.url = components.url
        message.summaryText = "Nf3"

        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(UUID()).message"
        )
        let shelf = Shelf(file: file)
        try shelf.keep(message)
        defer { try? FileManager.default.removeItem(at: file) }
        guard let taken = try shelf.take() else { preconditionFailure() }
        precondition(taken.session == session && taken.session?.hash == session.hash)
        precondition(taken.url == message.url && taken.summaryText == "Nf3")
        precondition((taken.layout as? MSMessageTemplateLayout)?.imageTitle == "Move 3")
        let items = taken.url.flatMap {
            URLComponents(url: $0, resolvingAgainstBaseURL: false)?.queryItems
        }
        precondition(Game(queryItems: items)?.moves == game.moves)

        // A layout is copied when it is set.
        let layout = MSMessageTemplateLayout()
        layout.caption = "before"
        taken.layout = layout
        layout.caption = "after"
        precondition((taken.layout as? MSMessageTemplateLayout)?.caption == "before")
        guard let copy = taken.copy() as? MSMessage else { preconditionFailure() }
        copy.url = nil
        precondition(taken.url != nil && copy.session === taken.session)

        // Of a class of the author's own.
        let own = GameMessage(opening: "Réti", session: session)
        own.layout = MSMessageTemplateLayout(game: game, names: players)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: own,
            requiringSecureCoding: true
        )
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: GameMessage.self, from: data)
        precondition(back?.opening == "Réti" && back?.session == session)
        print("ChessByMail works")
    }
}
