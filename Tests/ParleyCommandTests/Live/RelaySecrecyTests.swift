import Foundation
import Glibc
import ParleyAPI
import TestSupport
import Testing

/// What a thief of a relay finds: its disk, its log and the memory of its process hold nothing of
/// the messages that it passes on.
@Suite(.timeLimit(.minutes(5)))
struct RelaySecrecyTests {
    @Test(.enabled(if: geteuid() == 0, "needs root to read the memory of a process"))
    func aRelayHoldsNoPlainText() async throws {
        let directory = try TestDirectory()
        let relay = try await NodeProcess(
            data: directory.path("relay"),
            name: "relay",
            more: ["--relay"]
        )
        let alice = try await NodeProcess(
            data: directory.path("alice"),
            name: "alice",
            peers: [try await relay.address]
        )
        _ = try await alice.ask(Conversation.self, "conversation", "create", "games")
        let invite = try await alice.ask(
            Invite.self,
            "invite",
            "games",
            "--role",
            "relay"
        )
        let joined = try await relay.run("join", "-", input: Data(invite.link.utf8))
        try #require(joined.status == 0, "\(joined.errorText)")
        let texts = ["url", "caption", "summary"].map { "\($0)-of-\(UUID().uuidString)" }
        let sent = try await alice.ask(
            SentMessage.self,
            "send",
            "-c",
            "games",
            "--url",
            "?\(texts[0])",
            "--caption",
            texts[1],
            "--summary",
            texts[2],
            "--wait",
            "linked=1"
        )
        #expect(sent.nodes == 1, "the relay has it")

        #expect(
            try await found(texts, inMemoryOf: alice) == texts,
            "the search finds what is there"
        )
        #expect(try await found(texts, inMemoryOf: relay) == [])
        #expect(found(texts, in: Data(try await relay.log.utf8)) == [])
        let files = try FileManager.default.contentsOfDirectory(atPath: relay.data)
        #expect(files.contains("parley.sqlite-wal"))
        for file in files {
            let path = "relay/\(file)"
            guard file != "control.sock", let contents = try? directory.contents(path) else {
                continue
            }
            #expect(found(texts, in: contents) == [], "\(file)")
        }
        await alice.end()
        await relay.end()
    }

    private func found(_ texts: [String], in data: Data) -> [String] {
        texts.filter { data.range(of: Data($0.utf8)) != nil }
    }

    /// The texts that are in memory that the process can write, as a core dump would hold it.
    private func found(_ texts: [String], inMemoryOf node: NodeProcess) async throws -> [String] {
        let process = node.processID
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        let memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/mem"))
        defer { try? memory.close() }
        var here: Set<String> = []
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 2)
            let bounds = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), bounds.count == 2 else { continue }
            try memory.seek(toOffset: bounds[0])
            // Memory that was freed meanwhile cannot be read.
            let part = try? memory.read(upToCount: Int(bounds[1] - bounds[0]))
            here.formUnion(found(texts, in: part ?? Data()))
        }
        return texts.filter(here.contains)
    }
}
