package import Foundation
import Glibc
package import ParleyAPI
import Synchronization
import TestSupport

/// A running `parley node` that serves its page on a free port of the loopback interface.
package final class PageNode: Sendable {
    /// The executables, which are built next to the tests.
    private static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
    /// The path of an executable.
    package static func program(_ name: String) -> String {
        programs.appending(path: name).path
    }

    private static let environment = ProcessInfo.processInfo.environment.filter { name, _ in
        !["PARLEY_DATA", "NOTIFY_SOCKET", "XDG_STATE_HOME"].contains(name)
    }

    package let ready: ReadyNode
    private let program: String
    private let arguments: [String]
    private let child: Mutex<Child>
    private let commands = Mutex(0)
    private let files: TestDirectory

    /// A command or a helper of a node has failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts a node with the apps of that program, and waits until it is ready; with a folder, a
    /// copy of the program runs there.
    package init(
        _ name: String,
        peers: [String] = [],
        program: String = "parley",
        copiedTo folder: URL? = nil
    ) async throws {
        let files = try TestDirectory()
        let built = Self.programs.appending(path: program)
        let copy = folder?.appending(path: program)
        if let copy { try FileManager.default.copyItem(at: built, to: copy) }
        self.program = (copy ?? built).path
        let place = folder.map { ["/usr/bin/env", "-C", $0.path] } ?? []
        arguments =
            place + [
                self.program, "node", "--json", "--no-discovery", "--listen", "127.0.0.1:0",
                "--name", name, "--data", files.path("data"),
            ] + peers.flatMap { ["--peer", $0] }
        let child = try Self.start(arguments, port: 0, in: files, output: "output")
        ready = try await Self.ready(files, "output")
        self.child = Mutex(child)
        self.files = files
    }

    private static func start(
        _ arguments: [String],
        port: Int,
        in files: TestDirectory,
        output: String
    ) throws -> Child {
        try Child(
            arguments + ["--web", "127.0.0.1:\(port)"],
            environment: environment,
            output: files.path(output),
            errors: files.path("errors")
        )
    }

    private static func ready(_ files: TestDirectory, _ output: String) async throws
        -> ReadyNode
    {
        try await eventually("the ready line") {
            let output = try files.contents(output)
            guard let end = output.firstIndex(of: 0x0A) else { return nil }
            return try JSON.decode(ReadyNode.self, from: output[..<end])
        }
    }

    /// The port of the page.
    package var port: Int {
        get throws {
            guard let port = ready.page.flatMap({ URL(string: $0)?.port }) else {
                throw Failure(description: "the node serves no page")
            }
            return port
        }
    }

    /// The data directory.
    package var data: URL { files.url.appending(path: "data") }

    /// The path of the socket on which it takes commands.
    package var socket: String { ControlSocket.path(inDataDirectory: data) }

    /// Stops the node, does something, and starts it again with its page at the same address.
    package func restart(_ meanwhile: () async throws -> Void) async throws {
        await end()
        let reserved = try ReservedPort(port)
        defer { withExtendedLifetime(reserved) {} }
        try await meanwhile()
        let number = commands.withLock { number in
            number += 1
            return number
        }
        let output = "output-\(number)"
        let again = try Self.start(arguments, port: try port, in: files, output: output)
        child.withLock { $0 = again }
        _ = try await Self.ready(files, output)
    }

    /// The lines of the node's log, also from before a restart.
    package var log: String {
        get throws { String(decoding: try files.contents("errors"), as: UTF8.self) }
    }

    /// The number of the process.
    package var processID: Int32 { child.withLock { $0.pid } }

    /// Stops the process where it is.
    package func pause() { child.withLock { $0.signal(SIGSTOP) } }

    /// Lets the process go on.
    package func resume() { child.withLock { $0.signal(SIGCONT) } }

    /// Cuts the connections of browsers to the page, as a network does.
    package func cutConnections() throws {
        let cut = try Child(
            ["/usr/bin/env", "ss", "-K", "-t", "dst", "127.0.0.1", "dport", "=", "\(try port)"],
            environment: Self.environment,
            output: "/dev/null",
            errors: files.path("cut-errors")
        )
        guard cut.waitForEnd() == 0 else {
            throw Failure(description: "ss cannot cut connections")
        }
    }

    /// Runs a command that must succeed, with the options in a list, and returns its output.
    package func run(_ arguments: [String]) async throws -> Data {
        try await run(arguments, input: "")
    }

    /// Runs a command that must succeed, and returns its output.
    package func run(_ arguments: String..., input: String = "") async throws -> Data {
        try await run(arguments, input: input)
    }

    private func run(_ arguments: [String], input: String) async throws -> Data {
        // Each command has files of its own, as a process appends to what is there.
        let number = commands.withLock { number in
            number += 1
            return number
        }
        let child = try Child(
            [program] + arguments + ["--json", "--data", files.path("data")],
            environment: Self.environment,
            input: .file(try files.write("input-\(number)", Data(input.utf8))),
            output: files.path("command-\(number)"),
            errors: files.path("command-\(number)-errors")
        )
        let status = await child.end()
        let errors = String(decoding: try files.contents("command-\(number)-errors"), as: UTF8.self)
        guard status == 0 else { throw Failure(description: "\(arguments): \(errors)") }
        return try files.contents("command-\(number)")
    }

    /// Stops the node, and returns its exit code.
    @discardableResult
    package func end() async -> Int32 {
        let child = child.withLock { $0 }
        // A test that has failed may have left the process paused.
        child.signal(SIGCONT)
        child.signal(SIGTERM)
        return await child.end()
    }
}
