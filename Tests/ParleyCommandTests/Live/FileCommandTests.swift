import Foundation
import ParleyAPI
import TestSupport
import Testing

/// Files of any size, by commands only.
@Suite(.timeLimit(.minutes(5)))
struct FileCommandTests {
    private static func bytes(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) })
    }

    @Test func aLargeFileIsOfferedAcceptedAndSaved() async throws {
        let pair = try await NodePair()
        let bytes = Self.bytes(6_000_000)
        let film = try pair.directory.write("film.mkv", bytes)
        let sent = try await pair.alice.ask(
            SentMessage.self,
            "send",
            "-c",
            "games",
            "--file",
            film
        )
        let offered = try await eventually("the offer") {
            try await pair.bob.ask([FileTransfer].self, "files").first
        }
        #expect(offered.session == sent.session && offered.state == .offered)
        #expect(offered.file.name == "film.mkv" && offered.file.bytes == bytes.count)
        let listed = try await pair.bob.run("files", "games")
        #expect(listed.text.contains("alice"))
        #expect(listed.text.contains("film.mkv") && listed.text.contains("6.0 MB"))
        let transcript = try await pair.bob.run("transcript", "-c", "games")
        #expect(transcript.text.contains("[6.0 MB, see: parley files]"))

        let folder = pair.directory.path("")
        let arguments = [
            "files", "games", "--accept", "latest", "--to", pair.directory.path("saved"),
        ]
        let saved = try await Program.run(arguments + ["--data", pair.bob.data])
        #expect(saved.status == 0, "\(saved.errorText)")
        #expect(try pair.directory.contents("saved") == bytes)
        // In a directory it has its own name, which is taken already.
        let refused = try await pair.bob.run("files", "--accept", "latest", "--to", folder)
        #expect(refused.status == 73, "\(refused.errorText)")
        let again = try await pair.bob.run(
            "files",
            "--accept",
            "latest",
            "--to",
            folder,
            "--force"
        )
        #expect(again.status == 0, "\(again.errorText)")
        let mine = try await pair.alice.run("files", "--accept", "latest")
        #expect(mine.status == 65, "\(mine.errorText)")
        await pair.end()
    }

    @Test func aFileIsDeclined() async throws {
        let pair = try await NodePair()
        let film = try pair.directory.write("film.mkv", Self.bytes(5_000_000))
        // Bob only dials, and is reached at the port that the offer tells.
        let sent = try await pair.bob.ask(SentMessage.self, "send", "--file", film)
        try await eventually("the offer") {
            try await !pair.alice.ask([FileTransfer].self, "files").isEmpty
        }
        let declined = try await pair.alice.ask(
            FileTransfer.self,
            "files",
            "games",
            "--decline",
            "\(sent.session)"
        )
        #expect(declined.state == .declined)
        let to = pair.directory.path("song")
        let saved = try await pair.alice.run("files", "--accept", "\(sent.session)", "--to", to)
        #expect(saved.status == 0, "\(saved.errorText)")
        await pair.end()
    }

    @Test func aSmallFileIsAnAttachment() async throws {
        let pair = try await NodePair()
        let text = try pair.directory.write("rules.txt", Data("no phones\n".utf8))
        _ = try await pair.alice.ask(SentMessage.self, "send", "--file", text)
        let entry = try await eventually("the message") {
            try await pair.bob.transcript().last
        }
        #expect(entry.message?.picture?.bytes == 10)
        #expect(entry.message?.content?.file == nil)
        #expect(try await pair.bob.ask([FileTransfer].self, "files").isEmpty)
        for arguments in [["--file", pair.directory.path("none")], ["--file", "/"]] {
            let refused = try await Program.run(["send", "--data", pair.alice.data] + arguments)
            #expect(refused.status == 65, "\(refused.errorText)")
        }
        let both = try await pair.alice.run("send", "--file", text, "--url", "?a")
        #expect(both.status == 64)
        await pair.end()
    }
}
