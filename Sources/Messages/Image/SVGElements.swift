/// Reads the elements of an SVG behind its root tag, and sums up their cost for a browser.
///
/// A browser may draw a picture often, on a thread that pages wait for. So nothing in a file may
/// cost more than its own bytes suggest. Refused are copies, patterns and masks of other elements,
/// other documents, animations, effects that cost more than their shapes, and everything unknown.
struct SVGElements {
    private var scanner: SVGScanner
    private var cost = SVGCost()
    /// The elements that have begun and not ended.
    private var depth = 1
    /// The depth of the current `style`, and of the current `clipPath`; nil outside.
    private var style: Int?
    private var clip: Int?
    private var clipStart = 0
    /// The text of the current `style`.
    private var sheet: [UInt8] = []

    /// Goes on behind the root tag, which the scanner has read.
    init(_ scanner: SVGScanner) {
        self.scanner = scanner
    }

    /// Reads up to the end of the root element.
    ///
    /// - Throws: `truncated`, `malformed`, `tooMuchToDraw`.
    mutating func check(root: [SVGScanner.Attribute]) throws(ImageError) {
        try cost.add("svg", root, isInClip: false)
        while depth > 0 {
            let text = try scanner.skip(upTo: "<")
            if style != nil { sheet += scanner.bytes[text] }
            if scanner.take("<!--") {
                _ = try scanner.skip(past: "-->")
            } else if scanner.take("<![CDATA[") {
                let text = try scanner.skip(past: "]]>")
                if style != nil { sheet += scanner.bytes[text] }
            } else if scanner.take("<?") {
                _ = try scanner.skip(past: "?>")
            } else if scanner.take("</") {
                try end()
            } else {
                guard scanner.take("<"), !scanner.has("!") else { throw .malformed }
                try begin()
            }
        }
        try cost.check()
        try scanner.checkNothingFollows()
    }

    private mutating func begin() throws(ImageError) {
        let start = scanner.position
        let element = try scanner.elementName()
        let (attributes, isEmpty) = try scanner.attributes()
        // The text of a style sheet has no elements in it.
        guard style == nil, depth < SVGCost.depthMax else { throw .tooMuchToDraw }
        try cost.add(element, attributes, isInClip: clip != nil)
        guard !isEmpty else { return }
        depth += 1
        if element == "style" { style = depth }
        if element == "clippath" { (clip, clipStart) = (depth, start) }
    }

    private mutating func end() throws(ImageError) {
        _ = try scanner.skip(past: ">")
        if style == depth {
            try cost.add(sheet: sheet)
            (style, sheet) = (nil, [])
        }
        if clip == depth {
            cost.clipBytes += scanner.position - clipStart
            clip = nil
        }
        depth -= 1
    }
}

/// The cost of the elements of an SVG.
struct SVGCost {
    /// The most elements in one another: a browser keeps a layer for each that is half transparent.
    static let depthMax = 64
    /// The most elements.
    private static let elementsMax = 20_000
    private static let gradientsMax = 1_000
    /// The most colors of one gradient, which are compared for each pixel.
    private static let stopsMax = 64
    /// The most bytes of clip shapes, counted for each use.
    private static let clippedBytesMax = 16 << 20
    /// The most selectors of style sheets, counted for each element.
    private static let matchesMax = 2_000_000
    /// The most elements that are blended with their background, clipped, or colored by a gradient.
    ///
    /// Each of them costs as much as the whole area.
    private static let effectsMax = 1_000
    /// The longest value of an attribute that may hold for many elements, in bytes.
    private static let valueBytesMax = 4_096

    /// The elements that draw, change or move others, or bring documents of their own.
    private static let refused: Set<String> = [
        "use", "symbol", "pattern", "hatch", "mask", "marker", "filter", "foreignobject", "image",
        "textpath", "tref", "set", "discard", "mpath", "img", "video", "audio", "canvas", "iframe",
        "embed", "object", "link",
    ]
    private static let refusedPrefixes = ["fe", "animate"]

    private var elements = 0
    private var gradients = 0
    private var stops = 0
    private var selectors = 0
    private var clips = 0
    private var effects = 0
    /// The effects of style sheets, which every element may have.
    private var sharedEffects = 0
    private var dashes = SVGDashes()
    /// The bytes of all `clipPath`.
    var clipBytes = 0

    /// Adds an element, whose local name is in small letters.
    mutating func add(
        _ element: String,
        _ attributes: [SVGScanner.Attribute],
        isInClip: Bool
    ) throws(ImageError) {
        elements += 1
        switch element {
        case "lineargradient", "radialgradient": (gradients, stops) = (gradients + 1, 0)
        case "stop": stops += 1
        default: break
        }
        guard elements <= Self.elementsMax, gradients <= Self.gradientsMax, stops <= Self.stopsMax,
            !Self.refused.contains(element), !(isInClip && element == "clippath"),
            !Self.refusedPrefixes.contains(where: element.hasPrefix)
        else { throw .tooMuchToDraw }
        try dashes.add(element, attributes)
        for attribute in attributes {
            try add(attribute, isOfClip: isInClip || element == "clippath")
        }
    }

    private mutating func add(
        _ attribute: SVGScanner.Attribute,
        isOfClip: Bool
    ) throws(ImageError) {
        switch attribute.name {
        case "style":
            guard attribute.value.count <= Self.valueBytesMax else { throw .tooMuchToDraw }
            effects += try SVGStyle.effects(of: attribute.value)
        case "clip-path":
            // Clip shapes that are clipped themselves double the work at each level.
            guard !isOfClip else { throw .tooMuchToDraw }
            (clips, effects) = (clips + 1, effects + 1)
        case "opacity", "mix-blend-mode", "fill", "stroke":
            effects += SVGStyle.isEffect(attribute.name, attribute.text) ? 1 : 0
        case "filter", "mask":
            guard attribute.text == "none" else { throw .tooMuchToDraw }
        case "stroke-dasharray", "font-family", "class":
            guard attribute.value.count <= Self.valueBytesMax else { throw .tooMuchToDraw }
        default: break
        }
    }

    mutating func add(sheet: [UInt8]) throws(ImageError) {
        let sums = try SVGStyle.sums(ofSheet: sheet)
        selectors += sums.selectors
        sharedEffects += sums.effects
    }

    /// Checks the sums that are products.
    func check() throws(ImageError) {
        // No product can overflow: each factor is smaller than the file.
        guard clips * clipBytes <= Self.clippedBytesMax,
            effects + sharedEffects * elements <= Self.effectsMax,
            selectors * elements <= Self.matchesMax
        else { throw .tooMuchToDraw }
    }
}
