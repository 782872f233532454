import ArgumentParser
import Foundation
import ParleyAPI
import ParleyKeys
import ParleyLoop
import ParleyNode

/// `parley export`.
struct ExportCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a conversation as JSON lines, with its pictures.",
        discussion: """
              parley export games --out games.jsonl
              parley export games | jq -r '.entry | [.sentAt, .sender.name, .url] | @tsv'
              parley export games | jq -r 'select(.picture) | .picture' | base64 -d

            The first line says what the file is; then each line has a message or a summary as \
            parley transcript --json prints it (entry), oldest first, and its picture in base64 \
            (picture). Messages in conflict with the shown one follow it. A session that changes \
            meanwhile comes again with its later message. Replaced messages are not kept by any \
            node, only the summaries that they left.

            The file is as readable as the messages are on the screen: nothing in it is sealed.
            """
    )
    @Argument(help: "The conversation.") var conversation: String
    @Option(help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var out = "-"
    @Flag(help: "Replace the file if it exists.") var force = false
    @Flag(help: "Leave out the pictures.") var withoutPictures = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !out.isEmpty else { throw ValidationError("--out takes the path of a file, or -.") }
    }

    func run(_ client: ControlClient) async throws {
        guard out != "-" else { return try await export(client) { Output.standard.bytes($0) } }
        let lines: Int
        do {
            lines = try await save(client)
        } catch  where !(error is Problem) {
            throw OutputFile.problem(error, out, option: "--out")
        }
        guard !common.json else {
            return try Output.standard.document(ExportedDocument(file: out, entries: lines - 1))
        }
        let entries = lines == 2 ? "1 entry" : "\(lines - 1) entries"
        Output.standard.line("Wrote \(TerminalText.safe(out)) (\(entries)).")
    }

    /// Writes the lines to the file, device or pipe `out`; a link leads to its target.
    private func save(_ client: ControlClient) async throws -> Int {
        let target = URL(filePath: out)
        var status = stat()
        let isThere = stat(out, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            return try await export(client, to: OutputFile.open(out))
        }
        guard force || !isThere else { throw Problem(CareError.exists(target)) }
        let draft = DraftFile(of: target.resolvingSymlinksInPath().path)
        defer { draft.remove() }
        return try await EndSignals.during {
            let file = Descriptor(adopting: try draft.open())
            let lines = try await export(client, to: file)
            guard fsync(file.number) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            try draft.replace()
            return lines
        } clean: {
            draft.remove()
        }
    }

    /// Returns the number of lines.
    private func export(_ client: ControlClient, to file: Descriptor) async throws -> Int {
        var lines = 0
        let output = Output(descriptor: file.number)
        try await export(client) { line in
            try output.write(line)
            lines += 1
        }
        return lines
    }

    /// Passes the lines to `write`; one page and one picture are in memory at a time.
    private func export(_ client: ControlClient, _ write: (Data) throws -> Void) async throws {
        let all = try await client.get("conversations", as: [Conversation].self)
        guard let found = all.first(where: { $0.isCalled(conversation) }) else {
            throw Problem(
                .unknownConversation,
                "There is no conversation \(conversation.quoted).",
                hint: "See: parley conversation list"
            )
        }
        let head = ExportHead(conversation: found.name, id: found.id, exportedAt: Date())
        var begin: Data? = try JSON.encode(head) + [0x0A]
        var page: String? = TranscriptPages(of: conversation).first
        while let path = page {
            let transcript = try await client.get(path, as: TranscriptPage.self)
            // A conversation that cannot be read leaves no line behind.
            if let line = begin.take() { try write(line) }
            for entry in transcript.entries {
                try await add(entry, client, write)
                guard let message = entry.message, message.isConflict else { continue }
                let session = try await client.get(
                    "sessions/\(message.session)",
                    as: SessionDetail.self
                )
                for other in session.others { try await add(.message(other), client, write) }
            }
            page = transcript.next.map(TranscriptPages(of: conversation).after)
        }
    }

    private func add(
        _ entry: TranscriptEntry,
        _ client: ControlClient,
        _ write: (Data) throws -> Void
    ) async throws {
        var line = ExportLine(entry: entry)
        if !withoutPictures, let message = entry.message, message.picture?.isHere == true {
            do {
                line.picture = try await client.bytes(
                    "sessions/\(message.session)/messages/\(message.id)/picture"
                )
            } catch let problem as Problem where problem.kind == .unknownMessage {
                // The message was replaced meanwhile, and its session comes again.
            }
        }
        try write(JSON.encode(line) + [0x0A])
    }
}

/// The first line of an exported conversation.
struct ExportHead: Codable, Hashable, Sendable {
    /// The version of the format.
    var export = 1
    var conversation: String
    var id: String
    var exportedAt: Date
}

/// A line of an exported conversation.
struct ExportLine: Codable, Hashable, Sendable {
    var entry: TranscriptEntry
    /// The bytes of the picture, if the node has it.
    var picture: Data?
}

/// The document of `export --out FILE --json`.
struct ExportedDocument: Codable, Hashable, Sendable {
    var file: String
    var entries: Int
}
