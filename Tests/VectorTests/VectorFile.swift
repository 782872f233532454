import Foundation
import ParleyCore
import Testing

/// A file of `Tests/Vectors`: what another implementation is checked against.
///
/// `PARLEY_TEST_WRITE_VECTORS=1 swift test --filter VectorTests` writes the files anew; the scripts
/// `Tests/Vectors/check_*.py` check them with other code.
struct VectorFile<Content: Codable> {
    let name: String

    /// The content of the file, which is written anew first if the environment asks for that.
    func read(writing computed: Content) throws -> Content {
        if ProcessInfo.processInfo.environment["PARLEY_TEST_WRITE_VECTORS"] == "1" {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try (encoder.encode(computed) + Data("\n".utf8)).write(to: url)
        }
        return try JSONDecoder().decode(Content.self, from: Data(contentsOf: url))
    }

    private var url: URL { Project.root.appendingPathComponent("Tests/Vectors/\(name)") }
}

/// The files of the project.
enum Project {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}

/// The bytes of hexadecimal digits.
func bytes(_ hex: String) throws -> [UInt8] {
    try #require(Hexadecimal.bytes(hex))
}

/// Sixteen bytes that count up from `first`.
func sixteen(from first: UInt8) -> Bytes16 {
    Bytes16(reading: Slice((0..<16).map { first &+ UInt8($0) }), at: 0)
}

/// Thirty-two bytes that count up from `first`.
func thirtyTwo(from first: UInt8) -> Bytes32 {
    Bytes32(reading: Slice((0..<32).map { first &+ UInt8($0) }), at: 0)
}
