import Foundation
import Messages

/// A bot that guesses the word whose sketch is most like the drawing.
///
/// The bot uses only the drawing, although the message contains the word.
public final class DrawAndGuessBot: MSMessagesAppViewController {
    /// Guesses, if it is the guessers' turn.
    public override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        let me = conversation.localParticipantIdentifier
        guard let session = message.session, let round = Round(message: message),
            let guess = Self.guess(round.strokes, besides: round.guesses),
            let guessed = round.guessed(guess, by: me)
        else { return }
        conversation.send(guessed.message(in: session, from: me))
    }

    private static func guess(_ strokes: [ParleyView.Stroke], besides tried: [String]) -> String? {
        let seen = cells(strokes)
        let words = Words.all.filter { !tried.contains($0) }
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
