import ArgumentParser
import Foundation
import NIOCore
import ParleyAPI
import ParleyNode
import Synchronization

/// `parley send`.
struct SendCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a message, which replaces the present one of its session.",
        discussion: """
              parley send -c games --text 'Hello!'
              parley send -c games --url '?move=e4' --caption 'Your move' --image board.png
              parley send -c games --file holiday.mkv
              parley send -c games --session UUID --url '?move=e5' --wait delivered=1
              seq 100 | parley send -c load --url -
              parley send -c games --batch moves.jsonl --json

            A batch has one JSON object per line: {"url": …, "session": …, "image": FILE, …}, with \
            the names of the options in camelCase. The options give defaults for missing names. A \
            wrong line is reported with its number, the others are sent, and the exit code is 65, \
            or 74 if the disk of the node fails.
            """
    )
    @OptionGroup var conversation: ConversationOption
    @OptionGroup(title: "Message") var message: SendOptions
    @Option(
        help: ArgumentHelp(
            "Send every line of a file; - is standard input.",
            valueName: "file.jsonl"
        )
    )
    var batch: String?
    @Option(
        help: ArgumentHelp(
            "Send a file; one of more than 4 MiB is offered, for readers to accept.",
            valueName: "path"
        )
    )
    var file: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard batch == nil || message.url != "-" else {
            throw ValidationError("--batch and --url - cannot be used together.")
        }
        guard file == nil || batch == nil && message.isEmpty else {
            throw ValidationError("--file is sent alone, without other content.")
        }
    }

    func run(_ client: ControlClient) async throws {
        let path = PathText.conversation(try await conversation.name(client))
        if let file {
            try await send(file: file, to: path, client)
        } else if let batch {
            let descriptor = batch == "-" ? 0 : open(batch, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw Problem(
                    .noFile,
                    "\(batch) cannot be read: \(String(cString: strerror(errno))).",
                    hint: "Check --batch."
                )
            }
            guard URL(filePath: batch).resourceIsFile else {
                throw Problem(.noFile, "\(batch) is a directory.", hint: "Check --batch.")
            }
            try await send(descriptor, .documents, to: path, client)
        } else if message.url == "-" {
            try await send(0, .urls, to: path, client)
        } else {
            try await sendOne(to: path, client)
        }
    }

    /// The message of the options, without a picture.
    private var document: SendDocument {
        var document = message.document
        document.timeout = common.timeout
        return document
    }

    private func sendOne(to path: String, _ client: ControlClient) async throws {
        var document = document
        // Every failure names the session, also if the node never answers. That of a new text is
        // chosen by the node, as apps do not hear of texts.
        if document.text == nil { document.session = document.session ?? UUID().uuidString }
        do {
            let sent = try await client.with { $0.waiting(document.secondsToWait) }.post(
                path + "/messages",
                try document.withPicture(),
                as: SentMessage.self
            )
            try print(sent)
        } catch let problem as Problem {
            throw problem.naming(session: document.session)
        }
    }

    private func send(file: String, to path: String, _ client: ControlClient) async throws {
        let parts = try await FileParts(path: file)
        let name = PathText.encoded(URL(filePath: file).lastPathComponent)
        guard parts.count > MessageLimits.pictureBytes else {
            return try print(
                try await client.post(
                    path + "/attachments?name=\(name)",
                    parts,
                    as: SentMessage.self
                )
            )
        }
        let line = ProgressLine(TerminalText.safe(file))
        let sent = try await line.around {
            try await client.post(path + "/files?name=\(name)", parts, as: SentMessage.self)
        } progress: {
            (done: parts.taken, all: parts.count)
        }
        try print(sent)
    }

    private func send(
        _ descriptor: Int32,
        _ form: BatchInput.Form,
        to path: String,
        _ client: ControlClient
    ) async throws {
        let lines = BatchLines(asJSON: common.json, data: common.data)
        defer { lines.reportRest() }
        let input = BatchInput(
            lines: LineInput(descriptor: descriptor),
            form: form,
            defaults: document,
            report: { lines.add($0) },
            count: { lines.sent($0) }
        )
        let patient = client.with { patience in
            var patience = patience
            patience.since = { lines.since }
            return patience
        }
        try await patient.post(path + "/batch", RequestBody(parts: input)) { body in
            var splitter = LineSplitter()
            while let part = try await body.next() {
                for line in splitter.add(part.readableBytesView) {
                    lines.answered()
                    try take(Data(line), lines)
                }
            }
        }
        guard lines.unanswered == 0 else { throw Problem.nodeWentAway }
        if let status = lines.status { throw ExitCode(status.rawValue) }
    }

    private func take(_ line: Data, _ lines: BatchLines) throws {
        if let sent = try? JSON.decode(SentMessage.self, from: line) {
            try print(sent)
        } else if let problem = try? JSON.decode(Problem.self, from: line) {
            lines.add(problem)
        } else {
            throw Problem(
                .internal,
                "The node's response cannot be decoded.",
                hint: ControlClient.otherVersion
            )
        }
    }

    private func print(_ sent: SentMessage) throws {
        if common.json { return try Output.standard.object(sent) }
        let output = Output.standard
        let state =
            switch sent.state {
            case .stored: "stored"
            case .delivered: "delivered to \(sent.nodes)"
            case .linked: "on \(sent.nodes) linked"
            }
        output.line(
            output.style(.dim, "session ") + "\(sent.session)"
                + output.style(.dim, "  message ") + "\(sent.id)"
                + output.style(.dim, "  revision \(sent.revision)  \(state)")
        )
    }
}

/// The state of a batch: counts unanswered messages, and reports wrong lines at once.
private final class BatchLines: Sendable {
    private struct Waiting {
        var count = 0
        /// The time since which the node owes an answer, without the time in `longest`.
        var since = NIODeadline.uptimeNanoseconds(0)
        /// The longest time for which a message may wait for other nodes, in seconds.
        var longest = 0.0
    }

    /// The problems of lines that were not sent.
    private struct Said {
        /// The number of lines with each problem, by the problem's message.
        var lines: [String: Int] = [:]
        var status: ExitStatus?
    }

    /// The lines with the same problem that are reported singly; further lines are counted.
    private static let reportedMax = 10
    /// The different problems that are counted; lines with further problems are all reported.
    private static let countedMax = 64

    private let said = Mutex(Said())
    private let waiting = Mutex(Waiting())
    private let asJSON: Bool
    /// The value of `--data`.
    private let data: String?

    init(asJSON: Bool, data: String?) {
        self.asJSON = asJSON
        self.data = data
    }

    /// The number of messages that the node has not answered.
    var unanswered: Int { waiting.withLock { $0.count } }
    /// The exit code for lines that were not sent, a disk failure first; nil if all were sent.
    var status: ExitStatus? { said.withLock { $0.status } }

    /// Since when the node owes an answer; nil while all messages are answered.
    var since: NIODeadline? {
        waiting.withLock {
            $0.count == 0 ? nil : $0.since + .nanoseconds(Int64($0.longest * 1e9))
        }
    }

    func sent(_ document: SendDocument) {
        waiting.withLock {
            if $0.count == 0 { $0.since = .now() }
            $0.count += 1
            let seconds = document.secondsToWait
            $0.longest = max($0.longest, seconds > 0 ? seconds + Patience.usual : 0)
        }
    }

    func answered() {
        waiting.withLock {
            $0.count -= 1
            $0.since = .now()
        }
    }

    func add(_ problem: Problem) {
        let lines = said.withLock { said in
            let isOfDisk = problem.exitStatus == .inputOutput || said.status == .inputOutput
            said.status = isOfDisk ? .inputOutput : .badInput
            guard said.lines[problem.message] != nil || said.lines.count < Self.countedMax else {
                return 0
            }
            said.lines[problem.message, default: 0] += 1
            return said.lines[problem.message] ?? 0
        }
        guard asJSON || lines <= Self.reportedMax else { return }
        FailureReport.report(problem.ofNode(data: data), asJSON: asJSON)
    }

    /// Reports how many lines have problems that were only counted.
    func reportRest() {
        guard !asJSON else { return }
        let many = said.withLock { $0.lines.filter { $0.value > Self.reportedMax } }
        for (message, lines) in many.sorted(by: { $0.key < $1.key }) {
            let more = lines - Self.reportedMax
            let text = "\(more) more \(more == 1 ? "line" : "lines"): \(message)"
            FailureReport.report(.badInput(text), asJSON: false)
        }
    }
}

extension URL {
    /// Whether the path exists and is not a directory.
    fileprivate var resourceIsFile: Bool {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        return !exists || !isDirectory.boolValue
    }
}
