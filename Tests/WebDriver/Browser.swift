package import Foundation

/// A browser with one window: a session of W3C WebDriver.
package final class Browser: Sendable {
    private let driver: BrowserDriver
    private let session: String
    /// The process of the browser, whose children draw the pages.
    package let processID: Int32

    init(driver: BrowserDriver, session: String, processID: Int32) {
        self.driver = driver
        self.session = session
        self.processID = processID
    }

    deinit {
        // A browser that does not end by itself ends with its driver.
        _ = try? driver.command("DELETE", "/session/\(session)")
    }

    /// Carries out a command of WebDriver in this session, and returns its value.
    func command(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> JSONValue {
        try driver.command(method, "/session/\(session)/\(path)", body)
    }

    /// Carries out a command of the Chrome DevTools Protocol, for what WebDriver has no command.
    @discardableResult
    package func devTools(_ command: String, _ parameters: JSONValue = .object([:])) throws
        -> JSONValue
    {
        let body: JSONValue = ["cmd": .text(command), "params": parameters]
        return try self.command("POST", "goog/cdp/execute", body)
    }

    /// Opens an address.
    package func open(_ address: String) throws {
        _ = try command("POST", "url", ["url": .text(address)])
    }

    /// Opens another path of the page that is open.
    package func go(to path: String) throws {
        let origin = try run("return location.origin").text ?? ""
        try open(origin + path)
    }

    /// The title of the window.
    package var title: String {
        get throws { try command("GET", "title").text ?? "" }
    }

    /// Gives the page this size, in points, whatever the frame of the window needs.
    package func resize(width: Int, height: Int) throws {
        try devTools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(width)), "height": .number(Double(height)),
                "deviceScaleFactor": 1, "mobile": false,
            ]
        )
    }

    /// Takes the window out of sight.
    package func minimize() throws {
        _ = try command("POST", "window/minimize", .object([:]))
    }

    /// Brings the window back to the front.
    package func restore() throws {
        _ = try command("POST", "window/rect", ["x": 0, "y": 0])
    }

    /// Runs a script, and returns what it returns.
    @discardableResult
    package func run(_ script: String, _ arguments: JSONValue...) throws -> JSONValue {
        let body: JSONValue = ["script": .text(script), "args": .array(arguments)]
        return try command("POST", "execute/sync", body)
    }

    /// Runs a script that calls its last argument with what it returns, perhaps later.
    @discardableResult
    package func runLater(_ script: String, _ arguments: JSONValue...) throws -> JSONValue {
        let body: JSONValue = ["script": .text(script), "args": .array(arguments)]
        return try command("POST", "execute/async", body)
    }

    /// The lines that the page and the browser have written to the console since the last call.
    package func consoleLines() throws -> [String] {
        let entries = try command("POST", "se/log", ["type": "browser"]).array ?? []
        return entries.compactMap { $0["message"]?.text }
    }

    /// A picture of what is seen, as PNG.
    package func screenshot() throws -> Data {
        guard let data = Data(base64Encoded: try command("GET", "screenshot").text ?? "") else {
            throw DriverProblem(error: "unable to capture screen", message: "no PNG")
        }
        return data
    }
}
