import Foundation
import ParleyAPI
import ParleyNode
import ParleyWeb

extension Problem {
    /// The problem of a command that works on a data directory without its node.
    init(_ error: CareError) {
        switch error {
        case .nothingThere(let directory):
            self.init(
                .dataDirectoryUnusable,
                "No node has been at home in \(directory.path).",
                hint: "Name the data directory of a node with --data."
            )
        case .exists(let file):
            self.init(
                .fileExists,
                "\(file.path) exists already.",
                hint: "Choose another name, or replace that file with --force."
            )
        case .notReplaceable(let file):
            self.init(
                .fileExists,
                "\(file.path) is a link, a directory or a device, so no backup replaces it.",
                hint: "Name the file itself, or choose another name."
            )
        case .amongFiles(let directory):
            self.init(
                .cannotWrite,
                "A backup in \(directory.path) would be among the files that it saves.",
                hint: "Name a file in another directory."
            )
        case .scarce(let file, let bytes, let least):
            self.init(file, takes: TerminalText.size(bytes), of: TerminalText.size(least))
        case .notABackup(let file):
            self.init(
                .badInput,
                "\(file.path) is not a backup of a node, so nothing was changed.",
                hint: "Backups are made with: \(ProgramName.text) backup FILE"
            )
        case .newer(let file):
            self.init(
                .badInput,
                "A newer version of Parley made \(file.path), so nothing was changed.",
                hint: "Install that version."
            )
        case .damaged(let file, let detail, let isReadable):
            self.init(
                .badInput,
                "\(file.path) is damaged (\(detail)), so nothing was changed.",
                hint: isReadable
                    ? "Use another backup, or restore what can be read of this one with --force."
                    : "Use another backup."
            )
        case .file(let path, let reason):
            self.init(
                .cannotWrite,
                "\(path): \(reason).",
                hint: "Check the path, its permissions and the space on the disk."
            )
        case .halfway(let path, let reason, let earlier):
            self.init(path, reason, halfwayFrom: earlier)
        case .directory(let error): self.init(error)
        }
    }

    private init(_ file: URL, takes bytes: String, of least: String) {
        self.init(
            .cannotWrite,
            "\(file.path) would take \(bytes) of the node's own disk and leave less than the "
                + "\(least) that the node needs.",
            hint: "Name a file on another disk, or free some space."
        )
    }

    private init(_ path: String, _ reason: String, halfwayFrom earlier: URL) {
        self.init(
            .cannotWrite,
            "\(path): \(reason). The files that were there are in \(earlier.path), and the new "
                + "ones in restore.new beside it.",
            hint: "Move the files of one of them into the directory before you start the node."
        )
    }

    /// Does something to a data directory, and throws its errors as problems.
    static func caring<Result>(
        _ body: () throws(CareError) -> Result
    ) throws(Problem) -> Result {
        // Everything in a data directory and in a backup is for its owner alone.
        umask(0o077)
        do throws(CareError) { return try body() } catch { throw Problem(error) }
    }
}
