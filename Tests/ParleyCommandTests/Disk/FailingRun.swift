import Foundation
import ParleyAPI
import TestSupport

/// A life of the real executable in which one call on its files fails, or all of a kind from one
/// on.
///
/// The node makes its key and its database, names its device, makes one conversation, joins
/// another, and sends messages in chunks until the fault has struck. Each request gets success or
/// a typed error; after one failure the node goes on by itself, and as long as a disk fails the
/// status says why. A node that is started again without faults has everything that was
/// acknowledged.
struct FailingRun: Sendable {
    let shim: DiskShim
    let folder: DiskFolder
    let fault: DiskFault?
    /// The messages of a run without a failure.
    let messages: Int

    static let perChunk = 50
    static let sessions = 40

    private var data: String { folder.path("node") }
    private var log: String { folder.path("log") }

    init(_ shim: DiskShim, _ fault: DiskFault?, messages: Int) throws {
        self.shim = shim
        self.fault = fault
        self.messages = messages
        folder = try DiskFolder()
    }

    /// Runs, and throws `Broken` if a promise was broken.
    func run() async throws {
        var acknowledged = Acknowledged()
        let environment = shim.environment(data: data, log: log, fault: fault)
        if let node = try await start(with: environment, mayRefuse: fault) {
            try work(node, &acknowledged)
            guard node.exitCode == nil else { throw Broken("ended: \(errors)") }
            node.signal(SIGKILL)
            _ = await node.end()
        }
        guard let node = try await start(with: [:], mayRefuse: nil) else { return }
        try check(acknowledged)
        node.signal(SIGKILL)
        _ = await node.end()
    }

    /// The recorded calls.
    func records() throws -> [DiskRecord] {
        try DiskRecord.all(in: Data(contentsOf: URL(filePath: log)))
    }

    private var hasStruck: Bool {
        guard fault != nil else { return false }
        let size = (try? FileManager.default.attributesOfItem(atPath: log))?[.size] as? Int
        return (size ?? 0) > 0
    }

    private var errors: String {
        (try? String(contentsOfFile: folder.path("errors"), encoding: .utf8)) ?? ""
    }

    // MARK: Starting

    /// A node that is ready; nil if it has refused to start, with the reason.
    private func start(
        with environment: [String: String],
        mayRefuse fault: DiskFault?
    ) async throws -> Child? {
        for name in ["output", "errors"] { unlink(folder.path(name)) }
        let child = try Child(
            [Program.url.path] + [
                "node", "--json", "--no-web", "--no-discovery", "--listen", "127.0.0.1:0",
                "--name", "disk", "--data", data,
            ],
            environment: Program.clean.merging(environment) { $1 },
            output: folder.path("output"),
            errors: folder.path("errors")
        )
        let output = URL(filePath: folder.path("output"))
        try await eventually("a ready node", within: .seconds(20), every: .milliseconds(2)) {
            try child.exitCode != nil || Data(contentsOf: output).last == 0x0A
        }
        guard let code = child.exitCode else { return child }
        let problem = errors.split(separator: "\n").compactMap {
            try? JSON.decode(Problem.self, from: Data($0.utf8))
        }
        guard (64...78).contains(code), let problem = problem.last, problem.kind != .internal else {
            throw Broken("ended with \(code): \(errors)")
        }
        guard let fault else { throw Broken("does not start again: \(errors)") }
        // If a file cannot be opened, SQLite tries once more to open it, for reading only.
        let isHidden = [.create, .open].contains(fault.kind) && !fault.isForEver
        if !isHidden, !fault.isReason(errors) {
            throw Broken("refused without the reason: \(errors)")
        }
        return nil
    }

    // MARK: Working

    private struct Acknowledged {
        var conversations: Set<String> = []
        /// The last acknowledged message of each session, by their numbers.
        var messages: [Int: Int] = [:]
    }

    private func work(_ node: Child, _ acknowledged: inout Acknowledged) throws {
        for (path, body, name) in [
            ("conversations", #"{"name":"games"}"#, "games"),
            ("join", #"{"link":"open:lobby"}"#, "open:lobby"),
        ] {
            let made = try until(acknowledged: "conversation \(name)") {
                // After an error it may be stored all the same.
                [201, 409].contains(try ask("POST", path, body).status)
            }
            if made { acknowledged.conversations.insert(name) }
        }
        guard acknowledged.conversations.contains("games") else { return }
        var next = 0
        while next < messages {
            let struck = hasStruck
            try send(next..<min(messages, next + Self.perChunk), &acknowledged)
            next += Self.perChunk
            if struck { break }
        }
        guard let fault, hasStruck else { return }
        let number = next
        let isStored = try until(acknowledged: "message") {
            try send(number..<number + 1, &acknowledged)
            return acknowledged.messages[number % Self.sessions] == number
        }
        if fault.isForEver, !isStored { try checkStatus() }
    }

    /// Asks until the answer is success; if the disk fails for ever, only once.
    private func until(acknowledged what: String, _ ask: () throws -> Bool) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while try !ask() {
            if let fault, fault.isForEver { return false }
            guard fault != nil, ContinuousClock.now < deadline else {
                throw Broken("the node does not recover: \(what)")
            }
            // The node tries again by itself, after 200 ms and more.
            usleep(20_000)
        }
        return true
    }

    private func send(_ numbers: Range<Int>, _ acknowledged: inout Acknowledged) throws {
        let lines = numbers.map { number in
            "{\"url\":\"?\(number)\",\"session\":\"\(Self.session(number))\"}\n"
        }
        let path = "conversations/games/batch"
        let answer = try ask("POST", path, lines.joined())
        let documents = answer.body.split(separator: 0x0A).filter { $0.first == 0x7B }
        guard documents.count == numbers.count else {
            throw Broken("\(documents.count) answers to \(numbers.count) messages")
        }
        for document in documents {
            guard let sent = try? JSON.decode(SentMessage.self, from: Data(document)) else {
                try expectTyped(JSON.decode(Problem.self, from: Data(document)))
                continue
            }
            guard let line = sent.line else { throw Broken("an answer without its line") }
            let number = numbers.lowerBound + line - 1
            let session = number % Self.sessions
            acknowledged.messages[session] = max(acknowledged.messages[session] ?? 0, number)
        }
    }

    private static func session(_ number: Int) -> String {
        let digits = "\(number % sessions)"
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    /// Success, or a typed error of a disk.
    private func ask(
        _ method: String,
        _ path: String,
        _ body: String = ""
    ) throws -> ControlSocketClient.Answer {
        let answer = try ControlSocketClient.send(method, path, Data(body.utf8), toNodeIn: data)
        if answer.status >= 300 { try expectTyped(answer.document(Problem.self)) }
        return answer
    }

    private func expectTyped(_ problem: Problem) throws {
        let expected: [Problem.Kind] = [.storeFull, .storeFailed, .nameTaken, .alreadyJoined]
        guard hasStruck, expected.contains(problem.kind) else { throw Broken("\(problem)") }
    }

    private func checkStatus() throws {
        let status = try ask("GET", "status").document(NodeStatus.self)
        guard let fault, fault.failure != .short else {
            throw Broken("short reads and writes are no failure: \(status.store)")
        }
        let expected: StoreStatus.State = fault.failure == .ENOSPC ? .full : .failing
        guard status.store.state == expected, fault.isReason(status.store.detail ?? "") else {
            throw Broken("the status gives another reason: \(status.store)")
        }
    }

    // MARK: Checking

    private func check(_ acknowledged: Acknowledged) throws {
        let conversations = try ask("GET", "conversations").document([Conversation].self).map(
            \.name
        )
        let missing = acknowledged.conversations.subtracting(conversations)
        guard missing.isEmpty else { throw Broken("lost: conversations \(missing)") }
        guard conversations.contains("games") else { return }
        let answer = try ask("GET", "conversations/games/transcript?limit=200")
        let shown = try JSON.decode(Page.self, from: answer.body).entries
        var present: [String: Int] = [:]
        for entry in shown { present[entry.session] = entry.url.flatMap { Int($0.dropFirst()) } }
        for (session, number) in acknowledged.messages {
            let found = present[Self.session(session)]
            guard let found, found >= number, found % Self.sessions == session else {
                throw Broken("lost: message \(number); there is \(found.map { "\($0)" } ?? "none")")
            }
        }
    }

    private struct Page: Decodable {
        struct Entry: Decodable {
            let session: String
            let url: String?
        }
        let entries: [Entry]
    }
}
