import Foundation
import Messages
import MessagesHost

/// The part of one player who draws: words that only this device knows, and the judge of guesses.
///
/// The words are in a file, as the others wait for them also after a restart.
@MainActor
final class Drawer {
    /// The most words that are kept; the oldest goes first.
    private static let countMax = 16

    private let file: URL?
    private var promises: [ParleyPromise] = []
    /// The match and the message in it after which one is on its way.
    private var answered: Step?
    /// The drawing and the wrong guesses that this device has told for a seal, perhaps not stored
    /// yet.
    private var drawn: (seal: String?, strokes: [ParleyView.Stroke], wrong: [String])?

    /// The word for the next drawer, with the match and the turn after which it is sent.
    private var suggested: (match: UUID, turn: Int, word: String)?

    /// Two matches may have equal messages, as all begin alike.
    private struct Step: Equatable {
        let match: UUID
        let message: URL?

        init(_ scene: Scene) {
            match = scene.match.session
            message = scene.message.url
        }
    }

    /// Reads the file of a participant; without a folder nothing outlasts the app.
    init(folder: URL?, participant: UUID) {
        file = folder?.appending(path: "words-\(participant.uuidString).json")
        // A file that cannot be read has no words: the drawer passes on.
        guard let file, let data = try? Data(contentsOf: file) else { return }
        promises = (try? JSONDecoder().decode([ParleyPromise].self, from: data)) ?? []
    }

    /// The word of a drawing, if it was chosen here.
    func promise(in scene: Scene) -> ParleyPromise? {
        promises.last { $0.seal == scene.board.seal }
    }

    /// The strokes so far, the latest ones of this device included.
    func strokes(in scene: Scene) -> [ParleyView.Stroke] {
        drawn?.seal == scene.board.seal ? drawn?.strokes ?? [] : scene.strokes
    }

    /// The different guesses that are wrong.
    func wrong(in scene: Scene) -> [String] {
        guard let word = promise(in: scene)?.text else { return scene.wrong }
        return scene.guesses.map(\.word).reduce(into: []) { wrong, guess in
            if !Words.match(guess, word), !wrong.contains(guess) { wrong.append(guess) }
        }
    }

    /// The word that is to be suggested to the next drawer.
    func suggested(in scene: Scene) -> String? {
        suggested.flatMap {
            $0.match == scene.match.session && $0.turn == scene.turn ? $0.word : nil
        }
    }

    // MARK: What a drawer does

    /// Keeps a word for the next drawer, which goes with the end of the turn.
    func suggest(_ word: String, _ scene: Scene) {
        suggested = (scene.match.session, scene.turn, word)
    }

    /// Promises a word, which everybody may guess from now on.
    func choose(_ word: String, _ scene: Scene, _ conversation: MSConversation) {
        guard answered != Step(scene) else { return }
        let promise = ParleyPromise(word)
        let before = self.promise(in: scene)
        promises = (promises + [promise]).suffix(Self.countMax)
        // If this fails, the word is lost with the app.
        if let file { try? JSONEncoder().encode(promises).write(to: file, options: .atomic) }
        send(scene.begun(promise, instead: before), scene, conversation)
    }

    /// Shows everybody the drawing as it is now.
    func draw(_ strokes: [ParleyView.Stroke], _ scene: Scene, _ conversation: MSConversation) {
        let wrong = wrong(in: scene)
        drawn = (scene.board.seal, strokes, wrong)
        scene.draw(strokes, wrong: wrong, conversation)
    }

    /// The first right guess.
    func right(in scene: Scene) -> Scene.Guess? {
        guard let word = promise(in: scene)?.text else { return nil }
        return scene.guesses.first { Words.match($0.word, word) }
    }

    /// Ends the turn, and shows the word.
    func passOn(_ scene: Scene, _ conversation: MSConversation) {
        var scene = scene
        scene.strokes = strokes(in: scene)
        let guesser = right(in: scene)?.seat
        let board = scene.ended(promise(in: scene), guesser: guesser)
        send(board, suggesting: suggested(in: scene), scene, conversation)
    }

    /// Does what follows by itself: the first right guess and the end of the time end a turn, and
    /// wrong guesses are told.
    func judge(_ scene: Scene, _ conversation: MSConversation) {
        guard scene.isMyDrawing else { return }
        let isLate = scene.isDrawn && scene.match.isLate
        if scene.hasEnded || isLate || right(in: scene) != nil {
            return passOn(scene, conversation)
        }
        let wrong = wrong(in: scene)
        guard scene.isDrawn, wrong != scene.wrong,
            drawn?.seal != scene.board.seal || drawn?.wrong != wrong
        else { return }
        draw(strokes(in: scene), scene, conversation)
    }

    private func send(
        _ board: Board,
        suggesting word: String? = nil,
        _ scene: Scene,
        _ conversation: MSConversation
    ) {
        guard answered != Step(scene) else { return }
        answered = Step(scene)
        scene.send(board, suggesting: word, conversation) { [weak self] isSent in
            if !isSent { self?.answered = nil }
        }
    }
}
