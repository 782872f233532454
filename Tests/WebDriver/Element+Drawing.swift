extension Element {
    /// Draws a line through points whose coordinates are shares of the element's width and height.
    package func draw(
        with pointer: Pointer = .mouse,
        _ points: (x: Double, y: Double)...
    ) throws {
        let box = try browser.command("GET", "element/\(id)/rect")
        guard let width = box["width"]?.number, let height = box["height"]?.number else { return }
        let moves = points.map { point -> JSONValue in
            [
                "type": "pointerMove", "duration": 20, "origin": reference,
                // The middle of the element is 0, 0.
                "x": .number(((point.x - 0.5) * width).rounded()),
                "y": .number(((point.y - 0.5) * height).rounded()),
            ]
        }
        let down: JSONValue = ["type": "pointerDown", "button": 0]
        let up: JSONValue = ["type": "pointerUp", "button": 0]
        try browser.perform(pointer, moves.prefix(1) + [down] + moves.dropFirst() + [up])
    }
}
