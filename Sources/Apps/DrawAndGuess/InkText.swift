import Foundation
import Messages

/// Strokes as text that a URL can hold: four digits for the first point of a stroke, two for the
/// way to each of the others, and a dot between two strokes.
enum InkText {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8
    )
    /// The digit of a way of 0; a way has 31 grains at most.
    private static let middle = 31
    /// All ink that a drawing can have takes some 3,100 digits at most.
    private static let lengthMax = 4_000

    static func text(_ strokes: [ParleyView.Stroke]) -> String {
        strokes.map { stroke in
            var bytes: [UInt8] = []
            var last: (x: Int, y: Int)?
            for point in stroke.points {
                let (x, y) = (grains(point.x), grains(point.y))
                if let last {
                    bytes += [digit(x - last.x + middle), digit(y - last.y + middle)]
                } else {
                    bytes += [x / 64, x % 64, y / 64, y % 64].map(digit)
                }
                last = (x, y)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        .joined(separator: ".")
    }

    private static func grains(_ value: CGFloat) -> Int { Int((value / Ink.grain).rounded()) }

    private static func digit(_ value: Int) -> UInt8 { digits[max(0, min(63, value))] }

    /// The strokes of a text; nil if it is none, or a point is not on the paper.
    static func strokes(in text: String) -> [ParleyView.Stroke]? {
        guard text.utf8.count <= lengthMax else { return nil }
        var strokes: [ParleyView.Stroke] = []
        for part in text.utf8.split(separator: UInt8(ascii: ".")) {
            let values = part.compactMap { digits.firstIndex(of: $0) }
            guard values.count == part.count, values.count >= 4, values.count.isMultiple(of: 2)
            else { return nil }
            var (x, y) = (values[0] * 64 + values[1], values[2] * 64 + values[3])
            var points = [point(x, y)]
            for index in stride(from: 4, to: values.count, by: 2) {
                x += values[index] - middle
                y += values[index + 1] - middle
                points.append(point(x, y))
            }
            let isOnPaper = points.allSatisfy {
                (0...Ink.paper.width).contains($0.x) && (0...Ink.paper.height).contains($0.y)
            }
            guard isOnPaper else { return nil }
            strokes.append(ParleyView.Stroke(points: points, width: Ink.penWidth))
        }
        return strokes
    }

    private static func point(_ x: Int, _ y: Int) -> CGPoint {
        CGPoint(x: Double(x) * Ink.grain, y: Double(y) * Ink.grain)
    }
}
