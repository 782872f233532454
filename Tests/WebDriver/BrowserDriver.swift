import Foundation
import Glibc
import TestSupport

/// A running `chromedriver`, which starts browsers and passes commands on to them.
package final class BrowserDriver: Sendable {
    private static let program = "/usr/bin/chromedriver"
    /// How many drivers are started at most until one finds its port free.
    private static let attempts = 10

    private let child: Child
    private let client: LoopbackClient
    private let files: TestDirectory

    /// The port that the driver listens on.
    package var port: UInt16 { client.port }

    /// A browser of Debian's; all are built from the same source, and draw pages alike.
    package enum Kind: String, CaseIterable {
        /// Chromium without a window, which starts in a fifth of the processor time.
        case shell = "chrome-headless-shell"
        /// Chromium as people have it, for what the shell lacks: notifications.
        case whole = "chrome"

        fileprivate var program: String {
            switch self {
            case .shell: "/usr/bin/chromium-headless-shell"
            case .whole: "/usr/bin/chromium"
            }
        }
    }

    /// Whether Debian's browsers and their driver are on this machine.
    package static var isInstalled: Bool {
        ([program] + Kind.allCases.map(\.program)).allSatisfy {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Starts the driver, and waits until it takes commands.
    ///
    /// The driver listens on the same port of 127.0.0.1 and of ::1, and exits if another socket
    /// holds one of the two. With port 0 it chooses a port that is free on 127.0.0.1, and any
    /// connection over ::1 may hold that number; so a driver that exits is followed by another.
    ///
    /// - Parameter wanted: the port to try first; 0 for one that the driver chooses.
    /// - Throws: `DriverProblem` if no driver found its port free, `NotStarted`, `NeverCame`.
    package init(port wanted: UInt16 = 0) async throws {
        let files = try TestDirectory()
        var wanted = wanted
        var refusals: [String] = []
        while refusals.count < Self.attempts {
            let output = files.path("driver-\(refusals.count)")
            let child = try Child(
                [Self.program, "--port=\(wanted)"],
                environment: ProcessInfo.processInfo.environment,
                output: output,
                errors: output
            )
            if let port = try await Self.port(of: child, output: output) {
                self.files = files
                self.child = child
                client = LoopbackClient(port: port)
                return
            }
            refusals.append(Self.text(of: output))
            wanted = 0
        }
        throw DriverProblem(error: "no driver started", message: refusals.last ?? "")
    }

    /// The port that the driver listens on, once it does; nil if it has exited.
    private static func port(of child: Child, output: String) async throws -> UInt16? {
        var port: UInt16?
        try await eventually("the port of the driver") {
            let hasEnded = child.exitCode != nil
            port = text(of: output).firstMatch(of: /successfully on port (\d+)/)
                .flatMap { UInt16($0.1) }
            return port != nil || hasEnded
        }
        return port
    }

    private static func text(of file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    }

    /// Starts a browser with a window of that size, in points.
    package func browser(_ kind: Kind = .shell, width: Int, height: Int) throws -> Browser {
        let arguments: [JSONValue] = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            .text("--user-data-dir=\(files.path("profile-\(UUID().uuidString)"))"),
        ]
        let options: JSONValue = ["binary": .text(kind.program), "args": .array(arguments)]
        let wanted: JSONValue = [
            "capabilities": [
                "alwaysMatch": [
                    "browserName": .text(kind.rawValue), "goog:chromeOptions": options,
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
