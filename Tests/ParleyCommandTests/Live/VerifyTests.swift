import Foundation
import GRDB
import ParleyAPI
import ParleyCommand
import TestSupport
import Testing

/// `parley verify` finds damage in the files, and has a running node repair it.
@Suite(.timeLimit(.minutes(5)))
struct VerifyTests {
    private struct Verified: Decodable {
        struct Conversation: Decodable {
            let name: String
            let sessions: Int
            let pictures: Int
            let damaged: Int
        }

        struct Damage: Decodable {
            let conversation: String?
            let kind: String
            let repaired: Bool?
        }

        let sound: Bool
        let conversations: [Conversation]
        let damage: [Damage]
    }

    private let picture = PalettePNG(
        width: 300,
        palette: [[0, 0, 0], [255, 255, 255]],
        pixels: (0..<90_000).map { $0 % 7 == 0 ? 1 : 0 }
    )

    private static let message = "SELECT heads FROM session WHERE row = 2"
    private static let chunk = "SELECT bytes FROM blob_chunk WHERE number = 0"

    /// Changes a bit of what a query selects, in the files of the database themselves.
    private func flipBit(of sql: String, in data: String) throws {
        let path = "\(data)/parley.sqlite"
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: path, configuration: configuration)
        let bytes = try #require(try database.read { try Data.fetchOne($0, sql: sql) })
        try database.close()
        var count = 0
        for name in [path, path + "-wal"] {
            guard let file = FileHandle(forUpdatingAtPath: name) else { continue }
            let contents = try file.readToEnd() ?? Data()
            // One of the two samples lies within one page.
            for middle in [bytes.count / 2, bytes.count / 2 + 50] {
                let sample = bytes[middle..<middle + 24]
                var rest = contents.startIndex..<contents.endIndex
                while let found = contents.range(of: sample, in: rest) {
                    try file.seek(toOffset: UInt64(found.lowerBound))
                    try file.write(contentsOf: [contents[found.lowerBound] ^ 1])
                    rest = found.upperBound..<contents.endIndex
                    count += 1
                }
            }
            try file.close()
        }
        #expect(count > 0)
    }

    @Test func damageIsFoundAndRepaired() async throws {
        let pair = try await NodePair()
        let (alice, bob) = (pair.alice, pair.bob)
        let image = try pair.directory.write("board.png", picture.bytes)
        for more in [["--url", "?one", "--image", image], ["--url", "?two"]] {
            let arguments = ["send", "-c", "games", "--data", alice.data] + more
            #expect(try await Program.run(arguments).status == 0)
        }
        try await eventually("everything at bob's") {
            let entries = try await bob.transcript()
            return entries.count == 2 && entries.first?.layout?.image?.isHere == true
        }
        let sound = try await bob.ask(Verified.self, "verify")
        #expect(sound.sound && sound.damage.isEmpty)
        #expect(sound.conversations.map(\.sessions) == [2])
        #expect(sound.conversations.map(\.pictures) == [1])

        try flipBit(of: Self.message, in: bob.data)
        try flipBit(of: Self.chunk, in: bob.data)
        let found = try await bob.run("verify", "games", "--json")
        #expect(found.status == 65, "\(found.errorText)")
        #expect(try found.problem().hint.contains("verify --repair"))
        let damage = try found.document(Verified.self)
        #expect(!damage.sound && damage.conversations.map(\.damaged) == [2])
        #expect(damage.conversations.map(\.pictures) == [0])
        #expect(damage.damage.map(\.kind) == ["session", "picture"])
        #expect(damage.damage.allSatisfy { $0.conversation == "games" && $0.repaired == nil })

        let repaired = try await bob.run("verify", "--repair", "--json")
        #expect(repaired.status == 0, "\(repaired.errorText)")
        let parts = try repaired.document(Verified.self).damage
        #expect(parts.count == 2 && parts.allSatisfy { $0.repaired == true })
        #expect(try await bob.ask(Verified.self, "verify").sound)
        #expect(try await bob.run("verify").text.hasSuffix("Everything is sound.\n"))
        #expect(try await bob.transcript().first?.layout?.image?.isHere == true)
        let unknown = try await bob.run("verify", "chess", "--json")
        #expect(unknown.status == 65)
        #expect(try unknown.problem().kind == .unknownConversation)

        // Nobody else has the picture: the command says so when the time is over.
        await alice.end()
        try flipBit(of: Self.chunk, in: bob.data)
        let alone = try await bob.run("verify", "--repair", "--wait", "0.1", "--json")
        #expect(alone.status == 65)
        #expect(try alone.problem().hint.contains("parley peers"))
        await bob.end()
        try flipBit(of: Self.message, in: bob.data)
        let stopped = try await bob.run("verify", "--repair")
        #expect(stopped.status == 69, "\(stopped.text)")
        #expect(stopped.text.contains("games: session in row 2: its checksum is wrong"))
    }
}
