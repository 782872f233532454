import Foundation
import ParleyAPI

/// A folder with a file for each failing seed: the command that repeats it, why it failed, and its
/// whole trace.
struct KeptSeeds {
    private let folder: URL
    private var count = 0

    /// So many files are written; later seeds fail in the same ways as a rule.
    private static let countMax = 100

    /// Makes the folder if there is none, and empties it of earlier runs, before the work.
    init(_ path: String) throws(Problem) {
        folder = URL(filePath: path)
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )
            // Seeds that failed in an earlier run may be good now.
            for name in try FileManager.default.contentsOfDirectory(atPath: path)
            where name.wholeMatch(of: /seed-\d+\.txt/) != nil {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
        } catch {
            throw OutputFile.problem(error, path, option: "--keep")
        }
    }

    /// Writes the file of a seed; `trace` is asked only if it is written.
    mutating func keep(
        seed: UInt64,
        repeating command: String,
        why: [String],
        trace: () -> [String]
    ) throws(Problem) {
        guard count < Self.countMax else { return }
        count += 1
        let lines = [command] + why + [""] + trace()
        let text = lines.map { $0 + "\n" }.joined()
        let file = folder.appending(path: "seed-\(seed).txt")
        try OutputFile(file.path, option: "--keep").write(Data(text.utf8))
    }

    /// The words on what was written.
    var words: String { "\(count) failing seeds are kept in \(folder.path)" }
}
