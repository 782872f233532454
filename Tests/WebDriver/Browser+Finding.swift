import TestSupport

/// Elements found by role and name, as a screen reader finds them.
extension Browser {
    /// The elements that can have a role, among which those with the role are looked for.
    private static let selectors = [
        "alertdialog": "[role=alertdialog]", "application": "canvas", "article": "article",
        "button": "button", "checkbox": "input[type=checkbox]", "complementary": "aside",
        "dialog": "dialog, [role=dialog]",
        "group": "[role=group]", "menuitemradio": "[role=menuitemradio]",
        "image": "img, canvas", "link": "a", "log": "[role=log]", "navigation": "nav",
        "region": "section", "searchbox": "input[type=search]", "spinbutton": "input[type=number]",
        "status": "[role=status], output", "switch": "[role=switch]", "tab": "[role=tab]",
        "toolbar": "[role=toolbar]",
        "textbox": "textarea, input[type=text], input:not([type])",
    ]

    /// Waits for an element with that role and name.
    package func find(
        _ role: String,
        _ name: String,
        in outer: Element? = nil,
        within limit: Duration = .seconds(60)
    ) async throws -> Element {
        try await eventually("\(role) \"\(name)\"", within: limit, every: .milliseconds(30)) {
            try present(role, in: outer) { $0 == name }
        }
    }

    /// Waits for an element with that role and a name that begins so.
    package func find(_ role: String, from start: String) async throws -> Element {
        try await eventually("\(role) \"\(start)…\"", every: .milliseconds(30)) {
            try present(role, in: nil) { $0.hasPrefix(start) }
        }
    }

    /// The element with that role and name, if there is one now.
    package func present(_ role: String, _ name: String) throws -> Element? {
        try present(role, in: nil) { $0 == name }
    }

    /// The first element that a selector finds; for measurements, where asking each element for its
    /// name would take too long.
    package func first(_ selector: String) throws -> Element {
        let query: JSONValue = ["using": "css selector", "value": .text(selector)]
        guard let element = Element(try command("POST", "element", query), in: self) else {
            throw DriverProblem(error: "no such element", message: selector)
        }
        return element
    }

    /// The element that has the focus.
    package func active() throws -> Element? {
        Element(try command("GET", "element/active"), in: self)
    }

    /// The identifier of the element that has the focus.
    package func focused() throws -> String? { try active()?.id }

    /// Whether the element has the focus.
    package func isFocused(_ element: Element) throws -> Bool { try focused() == element.id }

    /// An outer element that the page has replaced meanwhile is found again.
    private func present(
        _ role: String,
        in outer: Element?,
        _ isWanted: @escaping @Sendable (String) -> Bool
    ) throws -> Element? {
        do {
            let path = outer.map { "element/\($0.id)/elements" } ?? "elements"
            let query: JSONValue = [
                "using": "css selector", "value": .text(Self.selectors[role] ?? "*"),
            ]
            for found in try command("POST", path, query).array ?? [] {
                let again = { @Sendable [self] in try present(role, in: outer, isWanted) }
                guard let element = Element(found, in: self, again: again) else { continue }
                guard try isWanted(element.name), try element.role == role else { continue }
                return element
            }
            return nil
        } catch let problem as DriverProblem where problem.error == "stale element reference" {
            // The page has changed meanwhile.
            guard let next = try outer?.again?(), next.id != outer?.id else { return nil }
            return try present(role, in: next, isWanted)
        }
    }
}
