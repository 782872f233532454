import ArgumentParser
import Foundation
import ParleyAPI
import ParleyNode

/// `parley identity`.
struct IdentityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity",
        abstract: "Show which device a data directory is, or make it another one.",
        subcommands: [Show.self, Rotate.self]
    )

    /// `parley identity show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the ID of the device, and where its key is.",
            discussion: """
                The ID is the SHA-256 of the public key, so it is the fingerprint that others can \
                compare. The node need not run.
                """
        )
        @OptionGroup var program: ProgramOptions

        func run() throws {
            let identity = try Problem.caring { () throws(CareError) in
                try DirectoryIdentity(of: program.dataDirectory)
            }
            if program.json { return try Output.standard.document(IdentityDocument(identity)) }
            let output = Output.standard
            output.line("Device  \(identity.device)  (\(identity.short) in logs)")
            let since = identity.written.map { ", since \($0.formatted(.iso8601))" } ?? ""
            output.line("Key     \(TerminalText.safe(identity.file.path))\(since)")
        }
    }

    /// `parley identity rotate`.
    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a stopped node a new key, after somebody may have read its key.",
            discussion: """
                With the next start the node is another device, with all conversations, keys and \
                messages that it had. Members see it as a new participant, and the messages of \
                the earlier device as another's; a game that waits for the earlier device goes on \
                only with its key. Browsers sign in again (parley page), and devices that block \
                or allow the earlier ID have to be told the new one.

                Whoever has read the data directory has the keys of its conversations as well, \
                which this does not change. The earlier key is kept in a file that no node reads.
                """
        )
        @OptionGroup var program: ProgramOptions

        func run() throws {
            let (earlier, before, after) = try Problem.caring { () throws(CareError) in
                try DirectoryIdentity.rotate(in: program.dataDirectory, at: Date())
            }
            if program.json {
                var document = IdentityDocument(after)
                document.previousDevice = before.device
                document.previousKey = earlier.path
                return try Output.standard.document(document)
            }
            let output = Output.standard
            output.line("The device is now \(after.device)  (\(after.short) in logs).")
            output.line(
                "The key of \(before.short) is in \(TerminalText.safe(earlier.path)); delete it "
                    + "unless you want to go back."
            )
            output.line("Start the node with:")
            output.line("  " + program.start)
        }
    }
}

/// The document of `identity --json`.
struct IdentityDocument: Codable, Hashable, Sendable {
    var device: String
    var short: String
    /// The file of the key.
    var key: String
    /// When the file was written last.
    var since: Date?
    var previousDevice: String?
    /// The file that has the key of the earlier device.
    var previousKey: String?

    init(_ identity: DirectoryIdentity) {
        device = identity.device
        short = identity.short
        key = identity.file.path
        since = identity.written
    }
}
