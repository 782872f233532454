import Foundation
import ParleyAPI
import ParleyCommand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ExportTests {
    private struct Line: Decodable {
        let export: Int?
        let conversation: String?
        let entry: TranscriptEntry?
        let picture: Data?
    }

    private func lines(_ data: Data) throws -> [Line] {
        try data.split(separator: 0x0A).map { try JSON.decode(Line.self, from: $0) }
    }

    @Test func messagesOfAllKeysAreLines() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        var pictures: [Data] = []
        for square in 1...3 {
            var board = DemoBoard()
            board.take(square)
            pictures.append(board.picture)
            let picture = try directory.write("board-\(square).png", board.picture)
            let sent = try await node.run("send", "-c", "games", "--image", picture)
            try #require(sent.status == 0, "\(sent.errorText)")
            let keys = try await node.run("conversation", "rotate", "games", "--yes")
            try #require(keys.status == 0, "\(keys.errorText)")
        }
        #expect(
            try lines(await node.run("export", "games").output).compactMap(\.picture) == pictures
        )
        await node.end()
    }

    @Test func messagesSummariesAndPicturesAreLines() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        var board = DemoBoard()
        board.take(4)
        let picture = try directory.write("board.png", board.picture)
        let first = try await node.run(
            "send",
            "-c",
            "games",
            "--image",
            picture,
            "--summary",
            "Cross began"
        )
        try #require(first.status == 0, "\(first.errorText)")
        let session = try #require(try await node.transcript().first?.session.description)
        let many = (1...1_100).map { #"{"url": "?\#($0)"}"# }.joined(separator: "\n")
        let file = try directory.write("many.jsonl", Data(many.utf8))
        let sent = try await node.run("send", "-c", "games", "--batch", file)
        try #require(sent.status == 0, "\(sent.errorText)")

        let all = try await node.run("export", "games")
        let exported = try lines(all.output)
        #expect(exported.count == 1_102, "\(all.errorText)")
        #expect(exported[0].export == 1 && exported[0].conversation == "games")
        #expect(exported[1].entry?.session.description == session)
        #expect(exported[1].picture == board.picture)
        #expect(exported.last?.entry?.url == "?1100")

        _ = try await node.run("send", "-c", "games", "--session", session, "--url", "?next")
        let target = directory.path("games.jsonl")
        let saved = try await node.run("export", "games", "--out", target, "--without-pictures")
        #expect(saved.status == 0 && saved.text.contains("1102 entries"), "\(saved.errorText)")
        let written = try lines(directory.contents("games.jsonl"))
        #expect(written.contains { $0.entry?.summaryText == "Cross began" })
        #expect(written.allSatisfy { $0.picture == nil })
        let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)

        let again = try await node.run("export", "games", "--out", target, "--json")
        #expect(again.status == 73)
        #expect(try again.problem().kind == .fileExists)
        try await keepsLinksAndPipes(node, directory)
        try await leavesNoDraftAfterASignal(node, directory)
        try await endsAsOthersInAPipe(node)

        let unknown = try await node.run("export", "chess", "--json")
        #expect(unknown.status == 65)
        #expect(try unknown.problem().kind == .unknownConversation)
        let nowhere = try await node.run("export", "games", "--out", "/proc/x", "--json")
        #expect(nowhere.status == 74)
        await node.end()
    }

    /// Regression: a file took the place of a link, a pipe or a device.
    private func keepsLinksAndPipes(_ node: NodeProcess, _ directory: TestDirectory) async throws {
        _ = try await node.ask(Conversation.self, "conversation", "create", "empty")
        let pipe = directory.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        // Whoever reads and writes a pipe waits for nobody.
        let reader = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        let piped = try await node.run("export", "empty", "--out", pipe)
        #expect(piped.status == 0, "\(piped.errorText)")
        #expect(try FileHandle(fileDescriptor: reader).read(upToCount: 1) == Data("{".utf8))
        let link = directory.path("link")
        try #require(symlink("games.jsonl", link) == 0)
        let linked = try await node.run("export", "empty", "--out", link, "--force")
        #expect(linked.status == 0, "\(linked.errorText)")
        #expect(try lines(directory.contents("games.jsonl")).count == 1)
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    /// Regression: another name for the file was proposed to whoever had read enough of it.
    private func endsAsOthersInAPipe(_ node: NodeProcess) async throws {
        let line = "\"$0\" export games --out /dev/stdout --data \"$1\" | head -n 1 >/dev/null; "
        let finished = try await Program.run(
            ["-c", line + "echo ${PIPESTATUS[0]}", Program.url.path, node.data],
            program: URL(filePath: "/bin/bash")
        )
        #expect(finished.text == "\(128 + SIGPIPE)\n" && finished.errors.isEmpty)
        let full = try await node.run("export", "games", "--out", "/dev/full")
        #expect(full.errorText.contains("No space left on device"))
    }

    /// Regression: what was exported so far stayed in the draft, after SIGKILL for good.
    private func leavesNoDraftAfterASignal(
        _ node: NodeProcess,
        _ directory: TestDirectory
    ) async throws {
        func drafts() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory.url.path).filter {
                $0.contains(".new-")
            }
        }
        await node.signal(SIGSTOP)
        for signal in [SIGKILL, SIGTERM] {
            let left = try drafts()
            let child = try Child(
                [
                    Program.url.path, "export", "games", "--out", directory.path("a"), "--data",
                    node.data,
                ],
                environment: Program.clean,
                output: directory.path("output"),
                errors: directory.path("errors")
            )
            try await eventually("a draft, alone, in its folder") {
                let drafts = try drafts()
                guard drafts.count == 1, drafts != left else { return false }
                return FileManager.default.fileExists(
                    atPath: directory.path("\(drafts[0])/draft")
                )
            }
            child.signal(signal)
            await #expect(child.end() == 128 + signal)
            #expect(try drafts().count == (signal == SIGKILL ? 1 : 0))
        }
        await node.signal(SIGCONT)
    }
}
