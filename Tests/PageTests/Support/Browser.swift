import Foundation
import TestSupport

/// A browser with one page, driven by role and name as a screen reader drives it.
final class Browser: Sendable {
    private let driver: BrowserDriver
    private let session: String

    init(driver: BrowserDriver, session: String) {
        self.driver = driver
        self.session = session
    }

    deinit {
        // A browser that does not end by itself ends with its driver.
        _ = try? driver.command("DELETE", "/session/\(session)")
    }

    /// The elements that can have a role, among which those with the role are looked for.
    private static let selectors = [
        "alertdialog": "[role=alertdialog]", "application": "canvas", "article": "article",
        "button": "button", "complementary": "aside", "dialog": "dialog, [role=dialog]",
        "image": "img, canvas", "link": "a", "log": "[role=log]", "navigation": "nav",
        "region": "section", "status": "[role=status], output",
        "textbox": "textarea, input[type=text]",
    ]

    func command(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> JSONValue {
        try driver.command(method, "/session/\(session)/\(path)", body)
    }

    /// Opens an address.
    func open(_ address: String) throws {
        _ = try command("POST", "url", ["url": .text(address)])
    }

    /// Opens another path of the page that is open.
    func go(to path: String) throws {
        let origin = try run("return location.origin").text ?? ""
        try open(origin + path)
    }

    var title: String {
        get throws { try command("GET", "title").text ?? "" }
    }

    /// Gives the page this size, in points, whatever the frame of the window needs.
    func resize(width: Int, height: Int) throws {
        let metrics: JSONValue = [
            "width": .number(Double(width)), "height": .number(Double(height)),
            "deviceScaleFactor": 1, "mobile": false,
        ]
        let body: JSONValue = ["cmd": "Emulation.setDeviceMetricsOverride", "params": metrics]
        _ = try command("POST", "goog/cdp/execute", body)
    }

    /// Whether the element has the focus.
    func isFocused(_ element: Element) throws -> Bool {
        guard let active = Element(try command("GET", "element/active"), in: self) else {
            return false
        }
        return active.id == element.id
    }

    /// Drags an element with the mouse to the middle of what the selector finds in another one.
    func drag(_ element: Element, onto outer: Element, _ selector: String) throws {
        let query: JSONValue = ["using": "css selector", "value": .text(selector)]
        let found = try command("POST", "element/\(outer.id)/element", query)
        func move(_ origin: JSONValue, x: Int = 0, y: Int = 0) -> JSONValue {
            [
                "type": "pointerMove", "duration": 50, "origin": origin,
                "x": .number(Double(x)), "y": .number(Double(y)),
            ]
        }
        let actions: JSONValue = [
            move(element.reference), ["type": "pointerDown", "button": 0],
            move("pointer", x: 5, y: -10), move("pointer", x: 0, y: -10), move(found),
            move(found), ["type": "pointerUp", "button": 0],
        ]
        let mouse: JSONValue = ["type": "pointer", "id": "mouse", "actions": actions]
        _ = try command("POST", "actions", ["actions": [mouse]])
    }

    /// Writes what is seen to `.build/screens/NAME.png`.
    func screenshot(_ name: String) throws {
        let text = try command("GET", "screenshot").text ?? ""
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../.build/screens").standardized
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(base64Encoded: text)?.write(to: folder.appending(path: name + ".png"))
    }

    /// Runs a script, and returns what it returns.
    func run(_ script: String, _ arguments: JSONValue...) throws -> JSONValue {
        try command(
            "POST",
            "execute/sync",
            ["script": .text(script), "args": .array(arguments)]
        )
    }

    /// The element that has the focus.
    func active() throws -> Element? {
        Element(try command("GET", "element/active"), in: self)
    }

    /// The identifier of the element that has the focus.
    func focused() throws -> String? { try active()?.id }

    /// The lines that the page and the browser have written to the console since the last call.
    func consoleLines() throws -> [String] {
        let entries = try command("POST", "se/log", ["type": "browser"]).array ?? []
        return entries.compactMap { $0["message"]?.text }
    }

    /// Waits for an element with that role and name.
    func find(_ role: String, _ name: String, in outer: Element? = nil) async throws -> Element {
        try await eventually("\(role) \"\(name)\"", every: .milliseconds(30)) {
            try present(role, in: outer) { $0 == name }
        }
    }

    /// Waits for an element with that role and a name that begins so.
    func find(_ role: String, from start: String) async throws -> Element {
        try await eventually("\(role) \"\(start)…\"", every: .milliseconds(30)) {
            try present(role, in: nil) { $0.hasPrefix(start) }
        }
    }

    /// Waits until the page follows its node.
    func waitForConnection() async throws {
        try await eventually("a connection of the page", every: .milliseconds(30)) {
            let script = "return document.querySelector('[role=status]')?.textContent ?? ''"
            return try run(script).text == "Connected"
        }
    }

    /// The element with that role and name, if there is one now.
    func present(_ role: String, _ name: String) throws -> Element? {
        try present(role, in: nil) { $0 == name }
    }

    private func present(
        _ role: String,
        in outer: Element?,
        _ isWanted: (String) -> Bool
    ) throws -> Element? {
        do {
            let path = outer.map { "element/\($0.id)/elements" } ?? "elements"
            let query: JSONValue = [
                "using": "css selector", "value": .text(Self.selectors[role] ?? "*"),
            ]
            for found in try command("POST", path, query).array ?? [] {
                guard let element = Element(found, in: self) else { continue }
                guard try isWanted(element.name), try element.role == role else { continue }
                return element
            }
            return nil
        } catch let problem as DriverProblem where problem.error == "stale element reference" {
            // The page has changed meanwhile.
            return nil
        }
    }
}

/// An element of a page.
struct Element: Sendable {
    /// The name that WebDriver gives the reference to an element in JSON.
    private static let key = "element-6066-11e4-a52e-4f735466cecf"

    let id: String
    let browser: Browser

    init?(_ value: JSONValue, in browser: Browser) {
        guard let id = value[Self.key]?.text else { return nil }
        self.id = id
        self.browser = browser
    }

    /// The reference to the element, as an argument of a script.
    var reference: JSONValue { .object([Self.key: .text(id)]) }

    /// The name that a screen reader speaks.
    var name: String {
        get throws { try get("computedlabel") }
    }

    var role: String {
        get throws { try get("computedrole") }
    }

    /// The text that is seen.
    var text: String {
        get throws { try get("text") }
    }

    func attribute(_ name: String) throws -> String? {
        try browser.command("GET", "element/\(id)/attribute/\(name)").text
    }

    func property(_ name: String) throws -> String? {
        try browser.command("GET", "element/\(id)/property/\(name)").text
    }

    func click() throws {
        _ = try browser.command("POST", "element/\(id)/click", .object([:]))
    }

    func type(_ text: String) throws {
        _ = try browser.command("POST", "element/\(id)/value", ["text": .text(text)])
    }

    private func get(_ what: String) throws -> String {
        try browser.command("GET", "element/\(id)/\(what)").text ?? ""
    }
}
