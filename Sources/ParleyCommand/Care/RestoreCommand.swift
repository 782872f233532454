import ArgumentParser
import Foundation
import ParleyAPI
import ParleyNode

/// `parley restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring a data directory back from a backup.",
        discussion: """
              parley restore games-node.backup
              parley restore games-node.backup --data /srv/parley

            The node of the directory has to be stopped. The backup is checked before anything is \
            changed; the files that are there already are moved into a folder of the directory, \
            replaced-TIME, which may be deleted when all is well.

            The restored node numbers its messages anew, and peers send it what it had and the \
            backup has not. If the node from which the backup was made still runs, the two are one \
            device for others: stop one of them, or restore a backup without identity.
            """
    )
    @Argument(help: "The backup.") var file: String
    @Flag(help: "Restore a damaged backup without its damaged rows and files.") var force = false
    @OptionGroup var program: ProgramOptions

    func run() async throws {
        let restore = DirectoryRestore(
            of: URL(filePath: file),
            to: program.dataDirectory,
            at: Date()
        )
        let restored = try Problem.caring { () throws(CareError) in try restore.run(force: force) }
        BackupCommand.warn(of: restored.contents)
        for device in restored.unblocked {
            Output.error.line(
                "warning: \(TerminalText.safe(device)) was blocked, and is not in the backup."
            )
        }
        if program.json {
            var document = BackupDocument(file: file, restored.contents)
            document.directory = program.dataDirectory.path
            document.earlier = restored.earlier?.path
            return try Output.standard.document(document)
        }
        let output = Output.standard
        let directory = TerminalText.safe(program.dataDirectory.path)
        output.line(
            "Restored \(directory) as of \(restored.made.formatted(.iso8601)): "
                + "\(BackupDocument.words(restored.contents))."
        )
        if let earlier = restored.earlier {
            output.line(
                "The files that were there are in \(TerminalText.safe(earlier.path)); they hold "
                    + "keys, so delete them when all is well."
            )
        }
        output.line("Start it with:")
        output.line("  " + program.start)
    }
}
