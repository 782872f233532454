import Foundation

/// The part of a Markdown file that a run writes: what stands between two comments.
enum MarkedTable {
    static let begin = "<!-- bench-peers: begin -->"
    static let end = "<!-- bench-peers: end -->"

    /// Replaces what stands between the comments.
    ///
    /// - Throws: `system` if the file has not got both, or an error of the file system.
    static func write(_ text: String, to path: String) throws {
        let old = try String(contentsOfFile: path, encoding: .utf8)
        guard let start = old.range(of: begin)?.upperBound,
            let stop = old.range(of: Self.end, range: start..<old.endIndex)?.lowerBound
        else { throw BenchError.system("\(path) has no comments \(begin) and \(Self.end)") }
        let new = old[..<start] + "\n\n" + text + "\n\n" + old[stop...]
        try String(new).write(toFile: path, atomically: true, encoding: .utf8)
    }
}
