/// A device with which people point.
package enum Pointer: String, CaseIterable, Sendable {
    case mouse
    case pen
    case touch
}

/// The mouse and other pointers, as a person moves them.
extension Browser {
    /// Drags an element to the middle of what the selector finds in another one.
    package func drag(
        _ element: Element,
        onto outer: Element,
        _ selector: String,
        with pointer: Pointer = .mouse
    ) throws {
        let query: JSONValue = ["using": "css selector", "value": .text(selector)]
        let found = try command("POST", "element/\(outer.id)/element", query)
        func move(_ origin: JSONValue, x: Int = 0, y: Int = 0) -> JSONValue {
            [
                "type": "pointerMove", "duration": 50, "origin": origin,
                "x": .number(Double(x)), "y": .number(Double(y)),
            ]
        }
        let actions = [
            move(element.reference), ["type": "pointerDown", "button": 0],
            move("pointer", x: 5, y: -10), move("pointer", x: 0, y: -10), move(found),
            move(found), ["type": "pointerUp", "button": 0],
        ]
        try perform(pointer, actions)
    }

    /// Drags from a point of the window by that many points, less than 0 upwards.
    package func drag(
        from point: (x: Double, y: Double),
        by points: Double,
        with pointer: Pointer = .mouse
    ) throws {
        func move(_ y: Double) -> JSONValue {
            [
                "type": "pointerMove", "duration": 20, "origin": "viewport",
                "x": .number(point.x.rounded()), "y": .number(y.rounded()),
            ]
        }
        let actions = [
            move(point.y), ["type": "pointerDown", "button": 0], move(point.y + points / 2),
            move(point.y + points), ["type": "pointerUp", "button": 0],
        ]
        try perform(pointer, actions)
    }

    /// Clicks twice in the middle of an element, as fast as people do.
    package func doubleClick(_ element: Element) throws {
        let down: JSONValue = ["type": "pointerDown", "button": 0]
        let up: JSONValue = ["type": "pointerUp", "button": 0]
        let actions: [JSONValue] = [
            ["type": "pointerMove", "origin": element.reference, "x": 0, "y": 0], down, up,
            ["type": "pause", "duration": 150], down, up,
        ]
        try perform(.mouse, actions)
    }

    /// Rests with the mouse in the middle of an element, or in the upper left corner of the window.
    package func rest(on element: Element?) throws {
        let move = { (origin: JSONValue) in
            let step: JSONValue = ["type": "pointerMove", "origin": origin, "x": 0, "y": 0]
            try self.perform(.mouse, [step])
        }
        guard let element else { return try move("viewport") }
        try element.present { try move($0.reference) }
    }

    /// Holds a finger on an element for so many milliseconds, moving it by some points meanwhile.
    ///
    /// After one that is short enough to be a tap, the driver does not answer the next one.
    package func hold(_ element: Element, for time: Double, movingBy points: Double = 0) throws {
        let move: JSONValue = [
            "type": "pointerMove", "origin": "pointer", "x": .number(points), "y": 0,
        ]
        let actions: [JSONValue] = [
            ["type": "pointerMove", "origin": element.reference, "x": 0, "y": 0],
            ["type": "pointerDown", "button": 0], move,
            ["type": "pause", "duration": .number(time)], ["type": "pointerUp", "button": 0],
        ]
        try perform(.touch, actions)
    }

    /// Carries out actions of a pointer, in the words of WebDriver.
    func perform(_ pointer: Pointer, _ actions: [JSONValue]) throws {
        let source: JSONValue = [
            "type": "pointer", "id": .text(pointer.rawValue),
            "parameters": ["pointerType": .text(pointer.rawValue)], "actions": .array(actions),
        ]
        _ = try command("POST", "actions", ["actions": [source]])
    }
}
