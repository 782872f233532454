import Foundation
import Messages

/// The ink of a drawing: its supply, and its use by strokes.
enum Ink {
    /// The ink of the first sheet, and the ink that each wrong guess adds, in units of the drawing.
    static let first = 1_400.0
    static let more = 500.0
    /// The ink for putting the pen down.
    static let dot = 8.0

    static let paper = CGSize(width: 320, height: 240)
    static let penWidth = 4.0
    /// Coordinates are multiples of this part of a unit, too small to see.
    static let grain = 0.25
    /// The least distance of two points; drawn as curves, strokes still look smooth.
    private static let step = 3.0
    /// The greatest distance of two points in each direction.
    private static let reach = 7.5

    static func used(by strokes: [ParleyView.Stroke]) -> Double {
        strokes.reduce(0) { $0 + dot + $1.length }
    }

    /// The part of the stroke that is on the paper and has ink; nil if there is no ink left.
    static func stroke(_ drawn: ParleyView.Stroke, ink: Double) -> ParleyView.Stroke? {
        guard ink > dot, let start = drawn.points.first.map(onPaper) else { return nil }
        var rest = ink - dot
        var points = [start]
        for (index, drawnPoint) in drawn.points.enumerated().dropFirst() {
            let point = onPaper(drawnPoint)
            let length = distance(points[points.count - 1], point)
            let isEnd = index == drawn.points.count - 1
            guard length >= step || (isEnd && length >= 1) else { continue }
            for next in way(from: points[points.count - 1], to: point) {
                let last = points[points.count - 1]
                let length = distance(last, next)
                guard length <= rest else {
                    points.append(onPaper(between(last, next, share: rest / length)))
                    return ParleyView.Stroke(points: points, width: penWidth)
                }
                rest -= length
                points.append(next)
            }
        }
        return ParleyView.Stroke(points: points, width: penWidth)
    }

    /// The points on the way to `end`, each within reach of the one before.
    private static func way(from start: CGPoint, to end: CGPoint) -> [CGPoint] {
        let distance = max(abs(end.x - start.x), abs(end.y - start.y))
        let count = max(1, Int((distance / reach).rounded(.up)))
        return (1...count).map { index in
            onPaper(between(start, end, share: Double(index) / Double(count)))
        }
    }

    private static func between(_ one: CGPoint, _ other: CGPoint, share: Double) -> CGPoint {
        CGPoint(x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share)
    }

    private static func distance(_ one: CGPoint, _ other: CGPoint) -> Double {
        hypot(other.x - one.x, other.y - one.y)
    }

    private static func onPaper(_ point: CGPoint) -> CGPoint {
        CGPoint(
            x: max(0, min(paper.width, (point.x / grain).rounded() * grain)),
            y: max(0, min(paper.height, (point.y / grain).rounded() * grain))
        )
    }
}
