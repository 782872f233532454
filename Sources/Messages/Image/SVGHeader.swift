/// Reads an SVG, which is text whose root element is `svg`.
enum SVGHeader {
    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        var head = SVGScanner(bytes.prefix(ImageLimits.svgHeadBytesMax))
        let (root, isEmpty) = try head.root()
        let attributes = try values(of: root)
        if isEmpty {
            var cost = SVGCost()
            try cost.add("svg", root, isInClip: false)
        } else {
            let all = SVGScanner(bytes.prefix(bytes.count), from: head.position)
            var elements = SVGElements(all)
            try elements.check(root: root)
        }
        let box = viewBox(attributes["viewBox"])
        let width = length(attributes["width"]) ?? box?.width
        let height = length(attributes["height"]) ?? box?.height
        var needed = NeededParts()
        needed.add(0..<bytes.count)
        // 300 by 150 pixels is what browsers assume for a picture without a size.
        return try ImageHeader(
            .svg,
            width: try pixels(width ?? 300),
            height: try pixels(height ?? 150),
            needed: needed
        )
    }

    private static func values(
        of attributes: [SVGScanner.Attribute]
    ) throws(ImageError) -> [String: String] {
        var values: [String: String] = [:]
        for attribute in attributes {
            guard let value = String(validating: attribute.value, as: UTF8.self),
                values.updateValue(value, forKey: attribute.name) == nil
            else { throw .malformed }
        }
        return values
    }

    private static func pixels(_ value: Double) throws(ImageError) -> Int {
        guard value > 0, value <= Double(ImageLimits.sideMax) else { throw .improperSize }
        return max(1, Int(value.rounded()))
    }

    private static func viewBox(_ text: String?) -> (width: Double, height: Double)? {
        let numbers = text?.split { " ,\t\n\r".contains($0) }.map { Double($0) } ?? []
        guard numbers.count == 4, let width = numbers[2], let height = numbers[3] else {
            return nil
        }
        return (width, height)
    }

    /// A length in CSS pixels; nil if the text is a relative length or not a length.
    private static func length(_ text: String?) -> Double? {
        guard let text else { return nil }
        if let pixels = Double(text) { return pixels }
        let factors = [
            "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
        ]
        return factors[String(text.suffix(2))].flatMap { factor in
            Double(text.dropLast(2)).map { $0 * factor }
        }
    }
}
