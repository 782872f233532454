import Foundation
import Messages

/// The ink of a drawing: how much there is, how much a stroke takes, and strokes as text.
enum Ink {
    /// The ink of the first sheet, and the ink that each wrong guess adds, in units of the drawing.
    static let first = 1_400.0
    static let more = 500.0
    /// The ink that it takes to put the pen down.
    static let dot = 8.0

    static let paper = CGSize(width: 320, height: 240)
    static let penWidth = 4.0
    /// The distance of the points that are kept, so that all ink fits into a URL.
    private static let step = 6.0

    static func used(by strokes: [View.Stroke]) -> Double {
        strokes.reduce(0) { $0 + dot + $1.length }
    }

    /// The stroke on the paper, up to where the ink ends; nil if there is none left.
    static func stroke(_ drawn: View.Stroke, ink: Double) -> View.Stroke? {
        guard ink > dot, let start = drawn.points.first.map(onPaper) else { return nil }
        var rest = ink - dot
        var points = [start]
        for (index, drawnPoint) in drawn.points.enumerated().dropFirst() {
            let point = onPaper(drawnPoint)
            let last = points[points.count - 1]
            let length = hypot(point.x - last.x, point.y - last.y)
            let isEnd = index == drawn.points.count - 1
            guard length >= step || (isEnd && length >= 1) else { continue }
            guard length <= rest else { break }
            rest -= length
            points.append(point)
        }
        return View.Stroke(points: points, width: penWidth)
    }

    private static func onPaper(_ point: CGPoint) -> CGPoint {
        CGPoint(
            x: max(0, min(paper.width, point.x.rounded())),
            y: max(0, min(paper.height, point.y.rounded()))
        )
    }

    // MARK: As text

    /// Four characters for a point, and a dot between two strokes.
    static func text(_ strokes: [View.Stroke]) -> String {
        strokes.map { $0.points.map { digits($0.x) + digits($0.y) }.joined() }
            .joined(separator: ".")
    }

    private static func digits(_ value: CGFloat) -> String {
        let text = String(Int(value), radix: 32)
        return text.count == 1 ? "0" + text : text
    }

    /// The strokes of a text; nil if it is none, or a point is not on the paper.
    static func strokes(in text: String) -> [View.Stroke]? {
        let isText = text.utf8.allSatisfy { "0123456789abcdefghijklmnopqrstuv.".utf8.contains($0) }
        guard isText, text.utf8.count <= 4_000 else { return nil }
        var strokes: [View.Stroke] = []
        for part in text.split(separator: ".") {
            let numbers = stride(from: 0, to: part.utf8.count, by: 2).map { start in
                Int(
                    String(decoding: part.utf8.dropFirst(start).prefix(2), as: UTF8.self),
                    radix: 32
                )
            }
            var points: [CGPoint] = []
            for index in stride(from: 0, to: numbers.count, by: 2) {
                guard part.utf8.count.isMultiple(of: 4), let x = numbers[index],
                    let y = numbers[index + 1], (0...Int(paper.width)).contains(x),
                    (0...Int(paper.height)).contains(y)
                else { return nil }
                points.append(CGPoint(x: x, y: y))
            }
            strokes.append(View.Stroke(points: points, width: penWidth))
        }
        return strokes
    }
}
