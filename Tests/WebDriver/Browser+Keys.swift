import TestSupport

/// Keys as a person without a pointer presses them.
extension Browser {
    /// Keys without a character, as WebDriver names them.
    package enum Key: String {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case escape = "\u{E00C}"
        case home = "\u{E011}"
        case left = "\u{E012}"
        case up = "\u{E013}"
        case right = "\u{E014}"
        case down = "\u{E015}"
    }

    /// Presses a key wherever the focus is.
    package func press(_ key: Key) throws {
        let down: JSONValue = ["type": "keyDown", "value": .text(key.rawValue)]
        let up: JSONValue = ["type": "keyUp", "value": .text(key.rawValue)]
        let keys: JSONValue = ["type": "key", "id": "keyboard", "actions": [down, up]]
        _ = try command("POST", "actions", ["actions": [keys]])
    }

    /// Writes a text wherever the focus is, and where the caret is there.
    package func write(_ text: String) throws {
        let keys = text.flatMap { character -> [JSONValue] in
            let value = JSONValue.text(String(character))
            return [["type": "keyDown", "value": value], ["type": "keyUp", "value": value]]
        }
        let source: JSONValue = ["type": "key", "id": "keyboard", "actions": .array(keys)]
        _ = try command("POST", "actions", ["actions": [source]])
    }

    /// Presses Tab until an element with that role and name has the focus, and then a key.
    ///
    /// - Throws: if none gets it, or if one that has it does not show that.
    package func go(by key: Key, to role: String, _ name: String) async throws {
        _ = try await find(role, name)
        for _ in 0..<80 {
            try press(.tab)
            guard let element = try active(), try element.name == name, try element.role == role
            else { continue }
            let isSeen = "return document.activeElement.matches(':focus-visible')"
            guard try run(isSeen) == .bool(true) else {
                throw DriverProblem(error: "no focus", message: "\(role) \(name) shows none")
            }
            return try press(key)
        }
        throw DriverProblem(error: "no focus", message: "Tab does not lead to \(role) \(name)")
    }
}
