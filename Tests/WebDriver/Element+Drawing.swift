extension Element {
    /// Draws a line through points whose coordinates are shares of the element's width and height.
    package func draw(
        with pointer: Pointer = .mouse,
        _ points: (x: Double, y: Double)...
    ) throws {
        let moves = try moves(points)
        try browser.perform(pointer, moves.prefix(1) + [Self.down] + moves.dropFirst() + [Self.up])
    }

    /// Begins a line with the mouse, which stays pressed.
    package func beginLine(_ points: (x: Double, y: Double)...) throws {
        let moves = try moves(points)
        try browser.perform(.mouse, moves.prefix(1) + [Self.down] + moves.dropFirst())
    }

    /// Continues that line and ends it.
    package func endLine(_ points: (x: Double, y: Double)...) throws {
        try browser.perform(.mouse, try moves(points) + [Self.up])
    }

    private static let down: JSONValue = ["type": "pointerDown", "button": 0]
    private static let up: JSONValue = ["type": "pointerUp", "button": 0]

    private func moves(_ points: [(x: Double, y: Double)]) throws -> [JSONValue] {
        let box = try browser.command("GET", "element/\(id)/rect")
        guard let width = box["width"]?.number, let height = box["height"]?.number else {
            return []
        }
        return points.map { point in
            [
                "type": "pointerMove", "duration": 20, "origin": reference,
                // The middle of the element is 0, 0.
                "x": .number(((point.x - 0.5) * width).rounded()),
                "y": .number(((point.y - 0.5) * height).rounded()),
            ]
        }
    }
}
