import Foundation

/// A color with its opacity.
struct Color: Hashable {
    var red, green, blue: UInt8
    var opacity = 1.0

    /// A color from its hexadecimal number, as in HTML.
    init(_ hex: UInt32, _ opacity: Double = 1) {
        red = UInt8(hex >> 16 & 0xFF)
        green = UInt8(hex >> 8 & 0xFF)
        blue = UInt8(hex & 0xFF)
        self.opacity = opacity
    }

    /// The color mixed with black.
    func darker(_ share: Double) -> Color {
        var color = self
        color.red = UInt8(Double(red) * (1 - share))
        color.green = UInt8(Double(green) * (1 - share))
        color.blue = UInt8(Double(blue) * (1 - share))
        return color
    }
}

/// Flat shapes, one over the other, on an area of 300 by 300; a drawing can be written as SVG and
/// as PNG.
struct Drawing {
    /// The area inside of an outline.
    struct Shape {
        var outline: [CGPoint]
        var color: Color
    }

    /// The width and the height of the area.
    static let side = 300.0

    private(set) var shapes: [Shape] = []

    mutating func polygon(_ outline: [CGPoint], _ color: Color) {
        shapes.append(Shape(outline: outline, color: color))
    }

    /// Points given as `x, y, x, y, …`.
    mutating func polygon(_ numbers: Double..., color: Color) {
        polygon(
            stride(from: 0, to: numbers.count - 1, by: 2).map {
                CGPoint(x: numbers[$0], y: numbers[$0 + 1])
            },
            color
        )
    }

    /// An ellipse that is turned clockwise by `degrees`.
    mutating func ellipse(
        _ x: Double,
        _ y: Double,
        _ xRadius: Double,
        _ yRadius: Double,
        _ color: Color,
        turned degrees: Double = 0
    ) {
        let turn = degrees / 180 * .pi
        let count = max(16, min(64, Int(xRadius + yRadius)))
        polygon(
            (0..<count).map { index in
                let angle = Double(index) / Double(count) * 2 * .pi
                let (dx, dy) = (cos(angle) * xRadius, sin(angle) * yRadius)
                return CGPoint(
                    x: x + dx * cos(turn) - dy * sin(turn),
                    y: y + dx * sin(turn) + dy * cos(turn)
                )
            },
            color
        )
    }

    /// A line of some width between two points.
    mutating func line(
        _ x1: Double,
        _ y1: Double,
        _ x2: Double,
        _ y2: Double,
        width: Double,
        _ color: Color
    ) {
        let length = max(hypot(x2 - x1, y2 - y1), 0.1)
        let (dx, dy) = ((y1 - y2) / length * width / 2, (x2 - x1) / length * width / 2)
        polygon(
            x1 + dx,
            y1 + dy,
            x2 + dx,
            y2 + dy,
            x2 - dx,
            y2 - dy,
            x1 - dx,
            y1 - dy,
            color: color
        )
    }

    /// The shapes as the content of an SVG picture.
    var svg: String {
        shapes.map { shape in
            let points = shape.outline.map { point in
                "\((point.x * 10).rounded() / 10) \((point.y * 10).rounded() / 10)"
            }
            let color = shape.color
            let opacity = color.opacity < 1 ? " opacity='\(color.opacity)'" : ""
            return "<path d='M\(points.joined(separator: "L"))Z' "
                + "fill='rgb(\(color.red) \(color.green) \(color.blue))'\(opacity)/>"
        }.joined()
    }
}
