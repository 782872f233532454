import TestSupport

/// Elements found by role and name, as a screen reader finds them.
extension Browser {
    /// The elements that can have a role, among which those with the role are looked for.
    private static let selectors = [
        "alertdialog": "[role=alertdialog]", "application": "canvas", "article": "article",
        "button": "button", "checkbox": "input[type=checkbox]", "complementary": "aside",
        "combobox": "select", "dialog": "dialog, [role=dialog]", "heading": "h1, h2, h3, h4",
        "group": "[role=group]", "menuitemradio": "[role=menuitemradio]",
        "image": "img, canvas", "link": "a", "log": "[role=log]", "navigation": "nav",
        "progressbar": "progress, [role=progressbar]", "region": "section",
        "searchbox": "input[type=search]", "separator": "hr, [role=separator]",
        "spinbutton": "input[type=number]",
        "status": "[role=status], output", "switch": "[role=switch]", "tab": "[role=tab]",
        "toolbar": "[role=toolbar]",
        "textbox": "textarea, input[type=text], input:not([type])",
    ]

    /// Finds the elements of a selector without those whose names cannot have a word: to compute a
    /// name takes the browser some milliseconds.
    private static let candidates = """
        const [outer, selector, word] = arguments
        const text = element => [element, ...element.querySelectorAll('*')]
            .flatMap(one => ['aria-label', 'alt', 'title', 'placeholder', 'value']
                .map(name => one.getAttribute(name)))
            .concat(element.textContent).join(' ').toLowerCase()
        const others = element => (element.getAttribute('aria-labelledby') ?? '').split(' ')
            .map(id => document.getElementById(id)).concat(...element.labels ?? [])
            .filter(one => one)
        return [...(outer ?? document).querySelectorAll(selector)].filter(element =>
            [element, ...others(element)].some(one => text(one).includes(word)))
        """

    /// Waits for an element with that role and name.
    package func find(
        _ role: String,
        _ name: String,
        in outer: Element? = nil,
        within limit: Duration = .seconds(60)
    ) async throws -> Element {
        try await eventually("\(role) \"\(name)\"", within: limit) {
            try present(role, name, in: outer)
        }
    }

    /// Waits for an element with that role and a name that begins so.
    package func find(_ role: String, from start: String) async throws -> Element {
        try await eventually("\(role) \"\(start)…\"") {
            try present(role, start, isWhole: false)
        }
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

    /// The element with that role and name, or one that begins so, if there is one now.
    ///
    /// An outer element that the page has replaced meanwhile is found again.
    package func present(
        _ role: String,
        _ name: String,
        isWhole: Bool = true,
        in outer: Element? = nil
    ) throws -> Element? {
        do {
            let word = name.prefix { !$0.isWhitespace }.lowercased()
            let selector = Self.selectors[role] ?? "*"
            let found = try run(
                Self.candidates,
                outer?.reference ?? .null,
                .text(selector),
                .text(word)
            )
            for found in found.array ?? [] {
                let again = { @Sendable [self] in
                    try present(role, name, isWhole: isWhole, in: outer)
                }
                guard let element = Element(found, in: self, again: again) else { continue }
                let actual = try element.name
                guard isWhole ? actual == name : actual.hasPrefix(name),
                    try element.role == role
                else { continue }
                return element
            }
            return nil
        } catch let problem as DriverProblem where problem.error == "stale element reference" {
            // The page has changed meanwhile.
            guard let next = try outer?.again?(), next.id != outer?.id else { return nil }
            return try present(role, name, isWhole: isWhole, in: next)
        }
    }
}
