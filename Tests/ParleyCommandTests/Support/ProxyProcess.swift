import Foundation
import TestSupport

/// A running `parley proxy` with its control on a free port.
final class ProxyProcess: Sendable {
    /// The URL of the control.
    let control: String
    private let child: Child
    private let files: TestDirectory

    private struct Ready: Decodable {
        let control: String
    }

    init(_ arguments: [String] = []) async throws {
        let files = try TestDirectory()
        self.files = files
        child = try Child(
            [Program.url.path, "proxy", "--control", "127.0.0.1:0", "--json"] + arguments,
            environment: Program.clean,
            output: files.path("output"),
            errors: files.path("errors")
        )
        let ready = try await eventually("control") {
            try? JSONDecoder().decode(Ready.self, from: files.contents("output"))
        }
        control = ready.control
    }

    /// Runs `parley proxy` with these arguments against the control.
    func command(_ arguments: String...) async throws -> Program.Finished {
        try await Program.run(["proxy"] + arguments, environment: ["TOXIPROXY_URL": control])
    }

    /// Ends the process as Ctrl-C does; returns its exit code.
    func stop() async -> Int32 {
        child.signal(SIGINT)
        return await child.end()
    }
}
