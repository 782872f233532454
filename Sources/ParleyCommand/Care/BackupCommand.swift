import ArgumentParser
import Foundation
import ParleyAPI
import ParleyNode

/// `parley backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Save a node to one file, while it runs or not.",
        discussion: """
              parley backup games-node.backup
              parley backup --force /backups/today.backup
              runuser -u parley -- parley backup /backups/relay.backup --data /var/lib/parley

            The file has everything that the node had acknowledged when the command began: \
            conversations with their keys, messages, pictures, the device's key and name, and the \
            files of apps. It is checked before it gets its name; what a backup leaves beside it \
            that was killed, the next one there removes. Keep it as secret as the data directory; \
            parley restore brings it back.

            Rows that are damaged on the disk of the node are so in the backup, and the command \
            says how many they are.
            """
    )
    @Argument(help: "The file to write.") var file: String
    @Flag(
        help: """
            Leave out the device's key and the sign-ins of browsers: what is restored is another \
            device in the same conversations.
            """
    )
    var withoutIdentity = false
    @Flag(help: "Replace the file if it exists.") var force = false
    @OptionGroup var program: ProgramOptions

    func validate() throws {
        guard !file.isEmpty, file != "-" else {
            throw ValidationError("A backup is written to a file with a name.")
        }
    }

    func run() async throws {
        let backup = DirectoryBackup(of: program.dataDirectory, to: URL(filePath: file))
        let screen = ProgressLine("Copying")
        let contents = try await EndSignals.during {
            try await screen.during {
                try Problem.caring { () throws(CareError) in
                    try backup.make(withIdentity: !withoutIdentity, replacing: force, at: Date())
                }
            } progress: {
                (backup.draftBytes, backup.databaseBytes)
            }
        } clean: {
            backup.abandon()
        }
        Self.warn(of: contents)
        if program.json {
            return try Output.standard.document(BackupDocument(file: file, contents))
        }
        let size = TerminalText.size(contents.bytes)
        Output.standard.line(
            "Saved \(TerminalText.safe(file)) (\(size)): \(BackupDocument.words(contents))."
        )
    }

    /// Warns of damage and missing files in a backup.
    static func warn(of contents: BackupContents) {
        if contents.damaged > 0 {
            Output.error.line("warning: \(contents.damaged) rows are damaged on the node's disk.")
        }
        for name in contents.leftOut {
            Output.error.line("warning: \(TerminalText.safe(name)) was left out.")
        }
    }
}

/// The document of `backup --json` and of `restore --json`.
struct BackupDocument: Codable, Hashable, Sendable {
    var file: String
    var bytes: Int
    var device: String?
    /// Whether the device's key is in the file.
    var identity: Bool
    var conversations: Int
    var sessions: Int
    var pictures: Int
    /// The rows that are damaged.
    var damaged: Int
    /// The files that are not in the backup, or could not be restored.
    var leftOut: [String]
    /// The directory that was restored.
    var directory: String?
    /// The folder of the files that were there before.
    var earlier: String?

    init(file: String, _ contents: BackupContents) {
        self.file = file
        bytes = contents.bytes
        device = contents.device
        identity = contents.hasIdentity
        conversations = contents.conversations
        sessions = contents.sessions
        pictures = contents.pictures
        damaged = contents.damaged
        leftOut = contents.leftOut
    }

    /// The contents of a backup in words.
    static func words(_ contents: BackupContents) -> String {
        let device = contents.device.map(DeviceText.short) ?? "no device"
        return [
            count(contents.conversations, "conversation"), count(contents.sessions, "session"),
            count(contents.pictures, "picture"),
            (contents.hasIdentity ? "with" : "without") + " the key of \(device)",
        ].joined(separator: ", ")
    }

    private static func count(_ number: Int, _ what: String) -> String {
        "\(number) \(what)\(number == 1 ? "" : "s")"
    }
}
