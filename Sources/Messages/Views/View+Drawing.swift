public import Foundation

extension View {
    /// A line drawn in one go.
    public struct Stroke: Hashable, Codable, Sendable {
        /// Where it passes, in the drawing's own units.
        public var points: [CGPoint]
        /// In the drawing's own units.
        public var width: Double

        /// A stroke through `points`, 2 units wide unless said otherwise.
        public init(points: [CGPoint], width: Double = 2) {
            self.points = points
            self.width = width
        }

        /// How much line it is, from point to point, in the drawing's own units.
        public var length: Double {
            zip(points, points.dropFirst()).reduce(0) { sum, pair in
                sum + hypot(Double(pair.1.x - pair.0.x), Double(pair.1.y - pair.0.y))
            }
        }

        /// Whether all numbers are numbers, and not too many of them.
        var isSound: Bool {
            points.count <= Limits.strokePointsMax && width.isFinite && width > 0
                && points.allSatisfy { $0.x.isFinite && $0.y.isFinite }
        }
    }

    /// Strokes on an area of a size.
    public struct Drawing: Hashable, Codable, Sendable {
        /// In units of its own.
        public var size: CGSize
        /// In the order in which they were drawn.
        public var strokes: [Stroke]

        /// An area of `size`, at first empty.
        public init(size: CGSize, strokes: [Stroke] = []) {
            self.size = size
            self.strokes = strokes
        }

        /// The drawing as an SVG picture, or nil if its size is none that a picture has.
        public var image: UIImage? {
            let lines = strokes.filter { $0.isSound && !$0.points.isEmpty }.map { stroke in
                let points = stroke.points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
                return "<polyline points=\"\(points)\" stroke-width=\"\(stroke.width)\"/>"
            }
            let svg = """
                <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" \
                height="\(size.height)"><g fill="none" stroke="#000" stroke-linecap="round" \
                stroke-linejoin="round">\(lines.joined())</g></svg>
                """
            return UIImage(data: Data(svg.utf8))
        }
    }

    /// Bounds on what a controller shows and what comes back from people.
    public enum Limits {
        /// Views in one tree; what is beyond is left out.
        public static let nodesMax = 10_000
        /// Views inside views; what is deeper is left out.
        public static let depthMax = 64
        /// Characters in a text field.
        public static let textCharactersMax = 10_000
        /// Points of one stroke.
        public static let strokePointsMax = 4_096
    }
}
