/// Counts the dashes of the lines of an SVG, as an upper bound from their numbers.
///
/// A few bytes can make millions of dashes, and a browser computes even the invisible ones.
struct SVGDashes {
    /// The most dashes of all lines.
    private static let countMax = 100_000.0
    private static let shapes: Set<String> = [
        "line", "rect", "circle", "ellipse", "polyline", "polygon", "path",
    ]
    /// The attributes whose numbers make lines longer.
    private static let lengths: Set<String> = [
        "d", "points", "x", "y", "x1", "y1", "x2", "y2", "width", "height", "r", "rx", "ry", "cx",
        "cy",
    ]

    private var count = 0.0

    /// Adds an element if its own attributes dash its lines.
    mutating func add(
        _ element: String,
        _ attributes: [SVGScanner.Attribute]
    ) throws(ImageError) {
        guard let dashes = attributes.first(where: { $0.name == "stroke-dasharray" })?.value,
            !dashes.elementsEqual("none".utf8)
        else { return }
        // The lengths of lines are unknown in a group, with `pathLength`, and with units.
        guard Self.shapes.contains(element), !Self.hasUnits(dashes),
            !attributes.contains(where: { $0.name == "pathLength" })
        else { throw .tooMuchToDraw }
        let dash = Self.numbers(dashes).reduce(0, +)
        guard dash != 0 else { return }
        var length = 0.0
        for attribute in attributes where Self.lengths.contains(attribute.name) {
            guard attribute.name == "d" || !Self.hasUnits(attribute.value) else {
                throw .tooMuchToDraw
            }
            let numbers = Self.numbers(attribute.value)
            // Each point of a path may lie as far away as the sum of all numbers.
            let reach = 8 * numbers.reduce(0, +)
            length += attribute.name == "d" ? reach * Double(numbers.count) : reach
        }
        count += length / dash
        // The comparison also refuses NaN.
        guard count <= Self.countMax else { throw .tooMuchToDraw }
    }

    private static func hasUnits(_ text: ArraySlice<UInt8>) -> Bool {
        text.contains { !" \t\r\n,.+-0123456789eE".utf8.contains($0) }
    }

    /// The numbers in a text, without their signs.
    private static func numbers(_ text: ArraySlice<UInt8>) -> [Double] {
        var numbers: [Double] = []
        var number = ""
        func end() {
            if let value = Double(number) { numbers.append(value) }
            number = ""
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "."): if number.contains(where: ".e".contains) { end() }
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                number += number.isEmpty ? "" : "e"
                continue
            case UInt8(ascii: "-") where number.hasSuffix("e"): break
            case UInt8(ascii: "+") where number.hasSuffix("e"): continue
            default:
                end()
                continue
            }
            number.unicodeScalars.append(Unicode.Scalar(byte))
        }
        end()
        return numbers
    }
}
