public import Foundation

extension ParleyView {
    /// A line drawn in one go.
    public struct Stroke: Hashable, Codable, Sendable {
        /// The points through which the stroke passes, in the drawing's own units.
        public var points: [CGPoint]
        /// The width of the line, in the drawing's own units.
        public var width: Double

        /// A stroke through `points`, 2 units wide unless said otherwise.
        public init(points: [CGPoint], width: Double = 2) {
            self.points = points
            self.width = width
        }

        /// The length of the line from point to point, in the drawing's own units.
        public var length: Double {
            zip(points, points.dropFirst()).reduce(0) { sum, pair in
                sum + hypot(Double(pair.1.x - pair.0.x), Double(pair.1.y - pair.0.y))
            }
        }

        /// The line as the data of an SVG path: a curve that begins and ends where the stroke does,
        /// passes through the middle between each two points, and bends towards the points.
        ///
        /// The page and ``ParleyView/Drawing/image`` draw strokes like this.
        public var path: String {
            guard let first = points.first, let last = points.last else { return "" }
            var path = "M" + Self.text(first)
            for (one, other) in zip(points.dropFirst(), points.dropFirst(2)) {
                let middle = CGPoint(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
                path += "Q" + Self.text(one) + " " + Self.text(middle)
            }
            return path + "L" + Self.text(last)
        }

        /// Coordinates with as many decimals as somebody could see.
        private static func text(_ point: CGPoint) -> String {
            [point.x, point.y].map { value in
                let rounded = (value * 100).rounded() / 100
                return rounded == rounded.rounded() && abs(rounded) < 1e9
                    ? String(Int(rounded)) : "\(rounded)"
            }
            .joined(separator: " ")
        }

        /// Whether all numbers are finite, the width is positive, and the points are within the
        /// limit.
        var isSound: Bool {
            points.count <= Limits.strokePointsMax && width.isFinite && width > 0
                && points.allSatisfy { $0.x.isFinite && $0.y.isFinite }
        }
    }

    /// The pen with which people draw.
    public struct Pen: Hashable, Codable, Sendable {
        /// The width of its lines, in the drawing's own units.
        public var width: Double
        /// The length of line for which there is ink, in the drawing's own units; nil if it never
        /// ends.
        ///
        /// A screen ends the line there. As not every screen does, check the strokes nevertheless.
        public var ink: Double?

        /// A pen with ink that never ends, unless said otherwise.
        public init(width: Double = 3, ink: Double? = nil) {
            self.width = width
            self.ink = ink
        }
    }

    /// Strokes on an area.
    public struct Drawing: Hashable, Codable, Sendable {
        /// The size of the area, which defines the drawing's own units.
        public var size: CGSize
        /// The strokes in the order in which they were drawn.
        public var strokes: [Stroke]
        /// The pen with which people draw here; if nil, the screen chooses a pen.
        public var pen: Pen?

        /// An area of `size` with these strokes.
        public init(size: CGSize, strokes: [Stroke] = [], pen: Pen? = nil) {
            self.size = size
            self.strokes = strokes
            self.pen = pen
        }

        /// The color of the area, on the page and in ``image``.
        public static let paperColor = "#fbf5e6"
        /// The color of the lines.
        public static let inkColor = "#2b3a67"

        /// The drawing as an SVG picture that looks like the drawing on the page, or nil if a
        /// picture cannot have its size.
        public var image: UIImage? {
            let lines = strokes.filter { $0.isSound && !$0.points.isEmpty }.map { stroke in
                "<path d=\"\(stroke.path)\" stroke-width=\"\(stroke.width)\"/>"
            }
            let svg = """
                <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" \
                height="\(size.height)"><rect width="100%" height="100%" \
                fill="\(Self.paperColor)"/><g fill="none" stroke="\(Self.inkColor)" \
                stroke-linecap="round" stroke-linejoin="round">\(lines.joined())</g></svg>
                """
            return UIImage(data: Data(svg.utf8))
        }
    }

    /// Bounds on the views of a controller and on the input of people.
    public enum Limits {
        /// The most views in one tree; further ones are left out.
        public static let nodesMax = 10_000
        /// The deepest nesting of views; deeper ones are left out.
        public static let depthMax = 64
        /// The most dialogs that lie over one another.
        public static let dialogsMax = 8
        /// The most characters in a text field.
        public static let textCharactersMax = 10_000
        /// The most points of one stroke.
        public static let strokePointsMax = 4_096
    }
}
