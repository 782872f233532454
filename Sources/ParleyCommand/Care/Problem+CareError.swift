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
        case .directory(let error): self.init(error)
        }
    }

    /// Does something to a data directory, and throws its errors as problems.
    static func caring<Result>(
        _ body: () throws(CareError) -> Result
    ) throws(Problem) -> Result {
        do throws(CareError) { return try body() } catch { throw Problem(error) }
    }
}
