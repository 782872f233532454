import Foundation
import Testing

/// The memory of this process that is not swapped out, and so that of the nodes in it.
enum ResidentMemory {
    static func bytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let words = try #require(line).split(whereSeparator: \.isWhitespace)
        return try #require(words.dropFirst().first.flatMap { Int($0) }) << 10
    }
}
