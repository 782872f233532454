import Foundation
import ParleyAPI
import TestSupport
import Testing

/// Input that is not text in UTF-8 is refused and never changed, wherever it comes from.
@Suite(.timeLimit(.minutes(5)))
struct RawTextTests {
    /// Regression: a caption in Latin-1 was sent with U+FFFD in it.
    @Test(arguments: [
        #"send -c games --caption "$(printf 'caf\351')""#,
        #"conversation create "$(printf '\377')""#,
    ])
    func anArgumentThatIsNoTextIsRefused(_ words: String) async throws {
        let finished = try await Self.shell("exec parley \(words) --data none --json")
        #expect(finished.status == 64)
        let problem = try finished.problem()
        #expect(problem.kind == .usage)
        #expect(problem.message.hasPrefix("Argument "), "\(problem.message)")
        #expect(problem.hint.contains("UTF-8"))
    }

    @Test func aVariableThatIsNoTextIsRefused() async throws {
        let finished = try await Self.shell(
            #"PARLEY_DATA="$(printf '/tmp/\351')" exec parley status --json"#
        )
        #expect(finished.status == 64)
        #expect(try finished.problem().message.contains("PARLEY_DATA"))
    }

    /// Regression: 300 bytes of noise were "533 bytes".
    @Test func noiseIsNoInvite() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        let noise = Data((0..<300).map { UInt8(truncatingIfNeeded: 128 + $0 % 97) })
        let finished = try await node.run("join", "-", input: noise)
        #expect(finished.status == 65)
        #expect(finished.errorText.contains("UTF-8"), "\(finished.errorText)")
        #expect(!finished.errorText.contains("bytes"))
        await node.end()
    }

    /// Regression: the mark became a part of the first URL.
    @Test func aByteOrderMarkIsDropped() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let mark = Data([0xEF, 0xBB, 0xBF])
        let urls = mark + Data("?1\r\n?2\r\n".utf8)
        #expect(try await node.run("send", "-c", "games", "--url", "-", input: urls).status == 0)
        let documents = try directory.write("list", mark + Data("{\"url\":\"?3\"}\r\n".utf8))
        #expect(try await node.run("send", "-c", "games", "--batch", documents).status == 0)
        #expect(try await node.transcript().map(\.url) == ["?1", "?2", "?3"])
        let invite = mark + Data("open:lobby\r\n".utf8)
        #expect(try await node.run("join", "-", input: invite).status == 0)
        await node.end()
    }

    @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func anotherEncodingIsRefusedWithTheCure(_ encoding: String.Encoding) async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let input = try #require("{\"url\": \"?1\"}\n{\"url\": \"?2\"}\n".data(using: encoding))
        for option in ["--batch", "--url"] {
            let finished = try await node.run("send", "-c", "games", option, "-", input: input)
            #expect(finished.status == 65)
            #expect(finished.errorText.contains("UTF-16"), "\(finished.errorText)")
            #expect(finished.errorText.contains("iconv"))
        }
        #expect(try await node.transcript().isEmpty)
        await node.end()
    }

    /// Regression: `head` ended a command with 74, as if a disk had failed.
    @Test func whoHasReadEnoughIsNoFault() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let finished = try await Self.shell(
            "seq 3000 | parley send -c games --url - --data \(node.data) | head -n 1 >/dev/null; "
                + "echo ${PIPESTATUS[1]}"
        )
        #expect(finished.text == "\(128 + SIGPIPE)\n")
        #expect(finished.errors.isEmpty, "\(finished.errorText)")
        await node.end()
    }

    /// Runs a line of the shell in which `parley` is the program.
    private static func shell(_ line: String) async throws -> Program.Finished {
        let folder = Program.url.deletingLastPathComponent().path
        return try await Program.run(
            ["-c", line],
            environment: ["PATH": "\(folder):/usr/bin:/bin"],
            program: URL(filePath: "/bin/bash")
        )
    }
}
