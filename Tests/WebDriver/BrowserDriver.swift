import Foundation
import Glibc
import TestSupport

/// A running `chromedriver`, which starts browsers and passes commands on to them.
package final class BrowserDriver: Sendable {
    private static let program = "/usr/bin/chromedriver"
    private static let browser = "/usr/bin/chromium"

    private let child: Child
    private let client: LoopbackClient
    private let files: TestDirectory

    /// Whether Debian's browser and its driver are on this machine.
    package static var isInstalled: Bool {
        [program, browser].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Starts the driver on a free port, and waits until it takes commands.
    package init() async throws {
        let files = try TestDirectory()
        let child = try Child(
            [Self.program, "--port=0"],
            environment: ProcessInfo.processInfo.environment,
            output: files.path("driver"),
            errors: files.path("driver-errors")
        )
        let port = try await eventually("the port of the driver") {
            let text = String(decoding: try files.contents("driver"), as: UTF8.self)
            return text.firstMatch(of: /successfully on port (\d+)/).flatMap { UInt16($0.1) }
        }
        self.files = files
        self.child = child
        client = LoopbackClient(port: port)
    }

    /// Starts a browser with a window of that size, in points.
    package func browser(width: Int, height: Int) throws -> Browser {
        let arguments: [JSONValue] = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            .text("--user-data-dir=\(files.path("profile-\(UUID().uuidString)"))"),
        ]
        let options: JSONValue = ["binary": .text(Self.browser), "args": .array(arguments)]
        let wanted: JSONValue = [
            "capabilities": [
                "alwaysMatch": [
                    "browserName": "chrome", "goog:chromeOptions": options,
                    "goog:loggingPrefs": ["browser": "ALL"],
                ]
            ]
        ]
        let answer = try command("POST", "/session", wanted)
        guard let session = answer["sessionId"]?.text,
            let process = answer["capabilities"]?["goog:processID"]?.number
        else {
            throw DriverProblem(error: "session not created", message: "\(answer)")
        }
        let browser = Browser(driver: self, session: session, processID: Int32(process))
        try browser.resize(width: width, height: height)
        return browser
    }

    /// Carries out a command of WebDriver, and returns its value.
    func command(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> JSONValue {
        let (status, data) = try client.send(
            method,
            path,
            try body.map { try JSONEncoder().encode($0) } ?? Data()
        )
        let value = try JSONDecoder().decode(JSONValue.self, from: data)["value"] ?? .null
        guard status == 200 else {
            let error = value["error"]?.text ?? "status \(status)"
            throw DriverProblem(error: error, message: value["message"]?.text ?? "")
        }
        return value
    }
}
