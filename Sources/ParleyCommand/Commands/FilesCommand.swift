import ArgumentParser
import Foundation
import NIOCore
import ParleyAPI
import ParleyKeys
import ParleyLoop
import ParleyNode

/// `parley files`.
struct FilesCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "List the files that are offered, and accept or decline them.",
        discussion: """
              parley files games
              parley files games --accept latest --to ~/Downloads
              parley files games --decline UUID

            A file of more than 4 MiB is offered, and goes from the device of its author to \
            whoever accepts it. The node goes on with that after each cut and each restart, also \
            when this command has ended; --to waits for the end and saves the file. To take an \
            offer back, unsend its message on the page.
            """
    )
    @Argument(help: "The conversation (default: the only one).") var conversation: String?
    @Option(help: ArgumentHelp("Accept a file.", valueName: "session|latest")) var accept: String?
    @Option(
        help: ArgumentHelp(
            "Decline a file, or end its transfer.",
            valueName: "session|latest"
        )
    )
    var decline: String?
    @Option(
        help: ArgumentHelp(
            "Wait for the accepted file, and save it as this file or in this directory.",
            valueName: "path"
        )
    )
    var to: String?
    @Flag(help: "Replace a file that exists.") var force = false
    @OptionGroup var common: CommonOptions

    /// The entries of the transcript among which offers are looked for.
    private static let entriesMax = 1_000
    private static let pause = Duration.milliseconds(250)

    func validate() throws {
        guard accept == nil || decline == nil else {
            throw ValidationError("--accept and --decline exclude each other.")
        }
        guard to == nil || accept != nil else {
            throw ValidationError("--to belongs to --accept.")
        }
    }

    func run(_ client: ControlClient) async throws {
        let name = try await ConversationOption.name(conversation, client)
        let offers = try await offers(in: name, client)
        guard let wanted = accept ?? decline else { return try list(offers) }
        let path = PathText.conversation(name) + "/files/" + (try session(wanted, among: offers))
        guard accept != nil else {
            return try tell(try await client.delete(path, as: FileTransfer.self))
        }
        let accepted = try await client.put(path, as: FileTransfer.self)
        guard let to else { return try tell(accepted) }
        let transfer = try await arrived(accepted, path, client)
        let target = target(to, transfer.file)
        try await save(path + "/content", as: target, client)
        if common.json { return try Output.standard.document(transfer) }
        Output.standard.line("Saved \(TerminalText.safe(target)).")
    }

    // MARK: The list

    /// An offered file, and who offers it.
    private struct Offer {
        let transfer: FileTransfer
        let sender: String
    }

    /// The offers of the last entries of a transcript, the oldest first.
    private func offers(in name: String, _ client: ControlClient) async throws -> [Offer] {
        let all = try await client.get("files", as: [FileTransfer].self)
            .filter { $0.conversation == GivenName.normal(name) }
        let known = Dictionary(all.map { ($0.session, $0) }) { first, _ in first }
        let page = try await TranscriptPages(of: name).last(Self.entriesMax) {
            try await client.get($0, as: TranscriptPage.self)
        }
        return page.entries.compactMap { entry in
            guard let message = entry.message, let file = message.content?.file else { return nil }
            let transfer =
                known[message.session]
                ?? FileTransfer(conversation: name, session: message.session, file: file)
            return Offer(transfer: transfer, sender: EntryNames.name(of: message.sender))
        }
    }

    private func list(_ offers: [Offer]) throws {
        if common.json { return try Output.standard.document(offers.map(\.transfer)) }
        guard !offers.isEmpty else { return Output.standard.line("No files are offered.") }
        var table = TextTable(["SESSION", "FROM", "FILE", "SIZE", "STATE"])
        for offer in offers {
            table.add([
                "\(offer.transfer.session)", TerminalText.safe(offer.sender),
                TerminalText.safe(offer.transfer.file.name),
                TerminalText.size(offer.transfer.file.bytes), words(offer.transfer),
            ])
        }
        Output.standard.table(table)
    }

    /// The session of an option: that of the latest file of somebody else, or a UUID.
    private func session(_ text: String, among offers: [Offer]) throws -> String {
        guard text == "latest" else { return PathText.encoded(text) }
        guard let latest = offers.last(where: { !$0.transfer.isMine }) else {
            throw Problem(.noOffer, "Nobody else offers a file here.")
        }
        return latest.transfer.session.description
    }

    // MARK: One file

    private func tell(_ transfer: FileTransfer) throws {
        if common.json { return try Output.standard.document(transfer) }
        let name = TerminalText.safe(transfer.file.name)
        Output.standard.line("\(name): \(words(transfer))")
    }

    private func words(_ transfer: FileTransfer) -> String {
        let reason = transfer.reason.map { ": \(TerminalText.safe($0))" } ?? ""
        let part = Int(100 * Double(transfer.done) / Double(max(1, transfer.file.bytes)))
        return switch transfer.state {
        case .here where transfer.isMine: "offered by this device"
        case .receiving: "\(part) %"
        case .waiting: "waiting, \(part) %\(reason)"
        case .offered, .declined, .here, .failed: transfer.state.rawValue + reason
        }
    }

    /// Waits until the whole file is at the node.
    private func arrived(
        _ accepted: FileTransfer,
        _ path: String,
        _ client: ControlClient
    ) async throws -> FileTransfer {
        let line = ProgressLine(TerminalText.safe(accepted.file.name))
        defer { line.end() }
        var transfer = accepted
        while transfer.state != .here {
            switch transfer.state {
            case .failed, .declined, .offered:
                let why = transfer.reason ?? "It was declined on another way."
                throw Problem(
                    .notYet,
                    "The file did not arrive. \(why)",
                    hint: "Accept it again to go on."
                ).naming(session: transfer.session.description)
            case .waiting, .receiving, .here: break
            }
            line.show(transfer.done, of: transfer.file.bytes, transfer.reason)
            try await Task.sleep(for: Self.pause)
            transfer = try await client.get(path, as: FileTransfer.self)
        }
        return transfer
    }

    /// The path at which a file is saved: its own name in a directory, where programs look for
    /// settings in files whose names begin with a dot.
    private func target(_ to: String, _ file: FileInfo) -> String {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: to, isDirectory: &isDirectory)
        guard to.hasSuffix("/") || exists && isDirectory.boolValue else { return to }
        let last = file.name.split(separator: "/").last.map(String.init) ?? ""
        let name = (GivenName(adapting: last, bytesMax: 255)?.text ?? "").drop { $0 == "." }
        return URL(filePath: to).appending(path: name.isEmpty ? "file" : String(name)).path
    }

    private func save(_ path: String, as target: String, _ client: ControlClient) async throws {
        guard force || access(target, F_OK) != 0 else {
            throw Problem(
                .fileExists,
                "\(target) exists.",
                hint: "Name another file with --to, or replace it with --force."
            )
        }
        let draft = DraftFile(of: target)
        defer { draft.remove() }
        do {
            try await EndSignals.during {
                let file = Descriptor(adopting: try draft.open())
                let output = Output(descriptor: file.number)
                try await client.get(path) { body in
                    while let part = try await body.next() {
                        try output.write(Data(part.readableBytesView))
                    }
                }
                guard fsync(file.number) == 0 else {
                    throw POSIXError(.init(rawValue: errno) ?? .EIO)
                }
                try draft.replace()
            } clean: {
                draft.remove()
            }
        } catch  where !(error is Problem) {
            throw OutputFile.problem(error, target, option: "--to")
        }
    }
}
