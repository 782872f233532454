/// An element of a page.
package struct Element: Sendable {
    /// The name that WebDriver gives the reference to an element in JSON.
    private static let key = "element-6066-11e4-a52e-4f735466cecf"

    package let id: String
    package let browser: Browser
    /// Finds the element again, where a page has put another one in its place.
    let again: (@Sendable () throws -> Element?)?

    init?(
        _ value: JSONValue,
        in browser: Browser,
        again: (@Sendable () throws -> Element?)? = nil
    ) {
        guard let id = value[Self.key]?.text else { return nil }
        self.id = id
        self.browser = browser
        self.again = again
    }

    /// The reference to the element, as an argument of a script.
    package var reference: JSONValue { .object([Self.key: .text(id)]) }

    /// The name that a screen reader speaks.
    package var name: String {
        get throws { try get("computedlabel") }
    }

    /// The role that a screen reader speaks.
    package var role: String {
        get throws { try get("computedrole") }
    }

    /// The text that is seen.
    package var text: String {
        get throws { try present { try $0.get("text") } }
    }

    /// The value of an attribute, if the element has it.
    package func attribute(_ name: String) throws -> String? {
        try browser.command("GET", "element/\(id)/attribute/\(name)").text
    }

    /// The value of a property of the element in the document, if that is a text.
    package func property(_ name: String) throws -> String? {
        try browser.command("GET", "element/\(id)/property/\(name)").text
    }

    /// Clicks in the middle of the element.
    package func click() throws {
        _ = try present { try browser.command("POST", "element/\($0.id)/click", .object([:])) }
    }

    /// Types a text into the element.
    package func type(_ text: String) throws {
        _ = try present {
            try browser.command("POST", "element/\($0.id)/value", ["text": .text(text)])
        }
    }

    /// Does something with the element, or with the one that the page has put in its place since
    /// the element was found.
    func present<Answer>(_ action: (Element) throws -> Answer) throws -> Answer {
        do {
            return try action(self)
        } catch let problem as DriverProblem where problem.error == "stale element reference" {
            guard let next = try again?(), next.id != id else { throw problem }
            return try action(next)
        }
    }

    private func get(_ what: String) throws -> String {
        try browser.command("GET", "element/\(id)/\(what)").text ?? ""
    }
}
