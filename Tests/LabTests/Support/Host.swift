import Foundation
import TestSupport
import Testing

/// A machine of the lab, and one data directory on it.
struct Host: Sendable {
    let lab: Lab
    let number: Int
    let data: String

    var log: String { "\(data).log" }

    // MARK: Its node

    /// Starts `parley node` and returns once it has said that it is ready.
    func start(_ options: String...) async throws -> RunningNode { try await start(options) }

    /// Starts it under a command such as `env`, which becomes the node.
    func start(_ options: [String], under command: [String] = []) async throws -> RunningNode {
        let output = "\(data).ready"
        // The file may contain the ready line of an earlier node, which must not be read again.
        try Data().write(to: URL(filePath: output))
        let arguments =
            command + [
                Lab.executable, "node", "--data", data, "--json", "--no-web", "--name",
                "host\(number)",
            ]
            + options
        let child = try lab.start(arguments, on: number, output: output, errors: log)
        let line = try await eventually("ready line of host \(number)", every: .milliseconds(2)) {
            try #require(child.exitCode == nil, "the node of host \(number) has ended")
            let text = try Data(contentsOf: URL(filePath: output))
            return text.contains(0x0A) ? text : nil
        }
        return RunningNode(
            child: child,
            ready: try JSONDecoder().decode(Ready.self, from: line),
            readyAt: .now
        )
    }

    /// Lines of the node's log that contain `text`.
    func logLines(_ text: String) throws -> [Substring] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(text) }
    }

    /// Waits until its node has links to so many members, and no more.
    func awaitLinks(_ count: Int) async throws {
        try await eventually("\(count) links of host \(number)") {
            let states = try around().map(\.state).filter {
                !["configured", "discovered"].contains($0)
            }
            return states == Array(repeating: "connected", count: count)
        }
    }

    // MARK: Commands

    /// Runs a command that must succeed.
    ///
    /// - Returns: what it printed.
    @discardableResult
    func parley(
        _ arguments: String...,
        input: Data? = nil,
        within limit: Duration = .seconds(30)
    ) async throws -> Data {
        let outcome = try await attempt(arguments, input: input, within: limit)
        try #require(
            outcome.exitCode == 0,
            "host \(number): parley \(arguments.joined(separator: " ")): \(outcome.errors)"
        )
        return outcome.output
    }

    /// Runs a command that may fail.
    func attempt(
        _ arguments: [String],
        input: Data? = nil,
        within limit: Duration = .seconds(30)
    ) async throws -> Outcome {
        try await lab.run(
            [Lab.executable] + arguments + ["--data", data, "--json"],
            input: input,
            within: limit
        )
    }

    /// Runs a program, which must succeed, on the machine of this host.
    func must(_ arguments: [String]) async throws {
        let outcome = try await inside(arguments)
        try #require(outcome.exitCode == 0, "\(arguments): \(outcome.errors)")
    }

    /// Runs a program on the machine of this host.
    func inside(_ arguments: [String]) async throws -> Outcome {
        try await lab.run([Lab.script, "-p", lab.prefix, "exec", "\(number)"] + arguments)
    }

    func create(_ conversation: String) async throws -> Joined {
        try decode(try await parley("conversation", "create", conversation))
    }

    func invite(to conversation: String, role: String = "writer") async throws -> String {
        let printed = try await parley("invite", conversation, "--role", role)
        return try decode(printed, as: Invite.self).invite
    }

    @discardableResult
    func join(_ invite: String) async throws -> Joined {
        try decode(try await parley("join", "-", input: Data("\(invite)\n".utf8)))
    }

    @discardableResult
    func send(_ url: String, to conversation: String, _ options: String...) async throws -> Sent {
        let arguments = ["send", "-c", conversation, "--url", url] + options
        let outcome = try await attempt(arguments)
        try #require(outcome.exitCode == 0, "host \(number): \(outcome.errors)")
        return try decode(outcome.output)
    }

    func transcript(of conversation: String) async throws -> [Entry] {
        try decode(try await parley("transcript", "-c", conversation))
    }

    func conflicts() async throws -> [Conflict] { try decode(try await parley("conflicts")) }

    func peers() async throws -> [Peer] { try decode(try await parley("peers")) }

    func nearby() async throws -> [Peer] { try decode(try await parley("nearby")) }

    func status() async throws -> Status { try decode(try await parley("status")) }

    // MARK: The same, without a process for each question

    /// The output of `transcript`.
    func entries(of conversation: String) throws -> [Entry] {
        var entries: [Entry] = []
        var place: String? = "start"
        while let after = place {
            let path = "conversations/\(conversation)/transcript?limit=200&after=\(after)"
            let page: TranscriptPage = try decode(try request(path).body)
            entries += page.entries
            place = page.next
        }
        return entries
    }

    /// The URLs of the shown messages, in the order of the transcript.
    func urls(of conversation: String) throws -> [String] {
        try entries(of: conversation).filter(\.isMessage).compactMap(\.url)
    }

    /// The output of `nearby`.
    func around() throws -> [Peer] { try decode(try request("nearby").body) }

    /// The output of `status`.
    func state() throws -> Status { try decode(try request("status").body) }

    /// The bytes of the picture of a shown message, nil if they are not there.
    func picture(of entry: Entry) throws -> Data? {
        let path = "sessions/\(entry.session)/messages/\(entry.id)/picture"
        let answer = try request(path)
        return answer.status == 200 ? answer.body : nil
    }

    private func request(_ path: String) throws -> ControlRequest.Answer {
        try ControlRequest.get("/v1/\(path)", socket: "\(data)/control.sock")
    }

    private func decode<Value: Decodable>(_ data: Data, as type: Value.Type = Value.self) throws
        -> Value
    {
        try JSONDecoder().decode(type, from: data)
    }
}

/// A node in a process of its own.
struct RunningNode: Sendable {
    let child: Child
    let ready: Ready
    let readyAt: ContinuousClock.Instant

    /// Ends it as a service manager would; fails if it does not end with 0.
    func stop() async throws {
        child.signal(SIGTERM)
        let code = try await eventually("end of \(ready.name)") { child.exitCode }
        try #require(code == 0, "\(ready.name) ended with \(code)")
    }

    /// Descriptors that it has open.
    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.pid)/fd").count
    }

    /// Its resident memory, in kB.
    func residentKilobytes() throws -> Int {
        let sizes = try String(contentsOfFile: "/proc/\(child.pid)/statm", encoding: .utf8)
        return try #require(Int(sizes.split(separator: " ")[1])) * 4
    }
}
