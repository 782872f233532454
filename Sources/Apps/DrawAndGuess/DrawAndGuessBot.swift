import Foundation
import Messages
import MessagesHost

/// A bot that takes a seat, draws sketches, and guesses the word whose sketch looks most alike.
public final class DrawAndGuessBot: MSMessagesAppViewController, ParleyApp {
    private var drawer: Drawer?
    /// The sketch and the guess that were sent last.
    private var drawn = ""
    private var guessed = ""
    /// The ink that others use before the bot guesses, and before each further guess.
    private static let inkForGuess = 350.0

    /// The bot was started.
    public override func willBecomeActive(with conversation: MSConversation) {
        drawer = Drawer(
            folder: documentsDirectory,
            participant: conversation.localParticipantIdentifier
        )
    }

    /// Takes a free seat, chooses a word and draws it, or guesses.
    public func matchDidChange(
        _ match: ParleyMatch,
        message: MSMessage,
        conversation: MSConversation
    ) {
        guard let scene = Scene(message, conversation), let drawer else { return }
        let isFull = match.seats.count + match.waiting.count >= match.size.upperBound
        if match.choices.contains(.takeSeat), !isFull {
            conversation.parley?.takeSeat(in: message)
        }
        drawer.judge(scene, conversation)
        if scene.isMyDrawing, scene.isDrawn, drawer.promise(in: scene) == nil {
            // The file with the word is lost.
            drawer.passOn(scene, conversation)
        } else if scene.isMyDrawing, !scene.isDrawn {
            if let word = Words.sketched.randomElement() {
                drawer.choose(word, scene, conversation)
            }
        } else if scene.isMyDrawing, scene.strokes.isEmpty, drawn != scene.board.seal {
            drawn = scene.board.seal ?? ""
            let sketch = Words.sketch(of: drawer.promise(in: scene)?.text ?? "")
            drawer.draw(sketch.compactMap { Ink.stroke($0, ink: Ink.first) }, scene, conversation)
        } else if scene.canGuess {
            guess(scene, conversation)
        }
    }

    private func guess(_ scene: Scene, _ conversation: MSConversation) {
        let tried = scene.guesses.map(\.word)
        let own = scene.guesses.count { $0.seat == scene.match.mySeat }
        let step = "\(scene.board.seal ?? "") \(own)"
        guard Ink.used(by: scene.strokes) >= Self.inkForGuess * Double(own + 1),
            guessed != step, let word = Self.guess(scene.strokes, besides: tried)
        else { return }
        guessed = step
        scene.guess(word, conversation) { [weak self] isSent in
            if !isSent { self?.guessed = "" }
        }
    }

    private static func guess(_ strokes: [ParleyView.Stroke], besides tried: [String]) -> String? {
        let seen = cells(strokes)
        let words = Words.sketched.filter { !tried.contains($0) }
        return words.max { likeness(seen, $0) < likeness(seen, $1) }
    }

    private static func likeness(_ seen: [Double], _ word: String) -> Double {
        let known = cells(Words.sketch(of: word))
        let common = zip(seen, known).reduce(0) { $0 + $1.0 * $1.1 }
        let lengths = [seen, known].map { cells in cells.reduce(0) { $0 + $1 * $1 }.squareRoot() }
        return common / max(lengths[0] * lengths[1], 0.001)
    }

    private static let side = 12

    /// How much ink is in and around each cell of a grid that the drawing fills.
    private static func cells(_ strokes: [ParleyView.Stroke]) -> [Double] {
        var cells = [Double](repeating: 0, count: side * side)
        let points = strokes.flatMap(dense)
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
        else { return cells }
        let scale = Double(side - 1) / max(right - left, bottom - top, 1)
        var marks: Set<Int> = []
        for point in points {
            let x = Int(((point.x - left) * scale).rounded())
            let y = Int(((point.y - top) * scale).rounded())
            marks.insert(y * side + x)
        }
        for mark in marks.sorted() {
            for (dx, dy, share) in [
                (0, 0, 1.0), (1, 0, 0.5), (-1, 0, 0.5), (0, 1, 0.5), (0, -1, 0.5),
            ] {
                let (x, y) = (mark % side + dx, mark / side + dy)
                guard (0..<side).contains(x), (0..<side).contains(y) else { continue }
                cells[y * side + x] = max(cells[y * side + x], share)
            }
        }
        return cells
    }

    /// The points of a stroke, and more between them.
    private static func dense(_ stroke: ParleyView.Stroke) -> [CGPoint] {
        zip(stroke.points, stroke.points.dropFirst() + stroke.points.suffix(1)).flatMap { a, b in
            (0..<16).map { step in
                let share = Double(step) / 16
                return CGPoint(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
            }
        }
    }
}
