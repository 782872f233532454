import Foundation
import FoundationNetworking
import ParleyAPI
import TestSupport
import Testing

/// Metrics and health of a node, as programs read them that watch it.
@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
    private let files: TestDirectory

    init() throws { files = try TestDirectory() }

    private struct Watched {
        let node: NodeProcess
        let address: String
    }

    private func watched(_ more: String...) async throws -> Watched {
        let node = try await NodeProcess(
            data: files.path("node"),
            more: ["--metrics", "127.0.0.1:0"] + more
        )
        let address = try await eventually("the address of the metrics") {
            try await node.log.split(separator: "\n").compactMap { line in
                line.firstMatch(of: /metrics at (http:[^ ]+)/).map { String($0.1) }
            }.first
        }
        return Watched(node: node, address: address)
    }

    private func get(_ path: String, of watched: Watched) async throws -> (Int, String, String) {
        let address = try #require(URL(string: watched.address + path))
        let (data, response) = try await URLSession.shared.data(from: address)
        let answer = try #require(response as? HTTPURLResponse)
        let type = answer.value(forHTTPHeaderField: "Content-Type") ?? ""
        return (answer.statusCode, type, String(decoding: data, as: UTF8.self))
    }

    @Test func metricsAreInTheFormOfPrometheus() async throws {
        let watched = try await watched()
        let node = watched.node
        _ = try await node.ask(Conversation.self, "conversation", "create", "secret-name")
        _ = try await node.ask(SentMessage.self, "send", "-c", "secret-name", "--url", "?1")
        let (status, type, text) = try await get("/metrics", of: watched)
        #expect(status == 200)
        #expect(type == "text/plain; version=0.0.4; charset=utf-8")
        let lines = text.split(separator: "\n").map(String.init)
        var names: Set<String> = []
        for line in lines where !line.hasPrefix("#") {
            let match = try #require(
                line.firstMatch(of: /^([a-z_]+)(\{[a-z]+="[^"]*"\})? (-?[0-9.e+-]+)$/),
                "\(line)"
            )
            let series = String(match.1)
            let family = series.replacing(/_(bucket|sum|count)$/, with: "")
            #expect(names.contains(family) || text.contains("# HELP \(family) "), "\(line)")
            #expect(names.contains(family) || text.contains("# TYPE \(family) "), "\(line)")
            names.insert(family)
        }
        func value(_ series: String) -> String? {
            lines.first { $0.hasPrefix("\(series) ") }?.split(separator: " ").last.map(String.init)
        }
        #expect(value("parley_conversations") == "1")
        #expect(value("parley_sessions") == "1")
        #expect(value("parley_messages_sent_total") == "1")
        #expect(value("parley_links") == "0")
        #expect(value("parley_refusals_total{reason=\"badProof\"}") == "0")
        for name in ["received_total{frame=\"ping\"}", "sent_total{frame=\"envelope\"}"] {
            #expect(value("parley_frames_\(name)") == "0")
        }
        #expect(value("parley_commit_seconds_count").flatMap { Int($0) } ?? 0 > 0)
        #expect(value("parley_sync_seconds_count").flatMap { Int($0) } ?? 0 > 0)
        #expect(value("parley_connection_sent_bytes_total") == "0")
        #expect(value("process_resident_memory_bytes").flatMap { Int($0) } ?? 0 > 1 << 20)
        #expect(!text.contains("secret-name"))
        await node.end()
    }

    @Test func healthSaysWhetherTheNodeCanDoItsWork() async throws {
        let watched = try await watched()
        #expect(try await get("/healthz", of: watched).0 == 200)
        #expect(try await get("/readyz", of: watched).0 == 200)
        #expect(try await get("/other", of: watched).0 == 404)
        let text = try await get("/metrics", of: watched).2
        #expect(text.contains("\nparley_trouble{trouble=\"storeFails\"} 0\n"))
        #expect(try await watched.node.run("status", "--check").status == 0)
        await watched.node.end()
        #expect(try await watched.node.run("status", "--check").status == 69)
    }

    @Test func aFullConversationMakesTheNodeNotReady() async throws {
        let watched = try await watched("--config", try quotas())
        let node = watched.node
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        for number in 1...2 {
            _ = try await node.ask(SentMessage.self, "send", "-c", "games", "--url", "?\(number)")
        }
        #expect(try await node.run("send", "-c", "games", "--url", "?3").status == 77)
        let (status, _, text) = try await get("/readyz", of: watched)
        #expect(status == 503 && text == "a conversation is full\n")
        #expect(try await get("/healthz", of: watched).0 == 200)
        let checked = try await node.run("status", "--check")
        #expect(checked.status == 1)
        #expect(checked.text.contains("a conversation is full"))
        let said = try await node.ask(NodeStatus.self, "status")
        #expect(said.troubles == [.conversationFull])
        #expect(said.store.state == .conversationFull)
        await node.end()
    }

    /// With too little space nothing is written, and what is here can be read and deleted.
    @Test func aDiskWithTooLittleSpaceMakesTheNodeNotReady() async throws {
        let before = try await watched().node
        _ = try await before.ask(Conversation.self, "conversation", "create", "games")
        await before.end()
        let reserve = try files.write("parley.yaml", Data("limits: {free-space: 900TiB}".utf8))
        let watched = try await watched("--config", reserve)
        let node = watched.node
        let sent = try await node.run("send", "-c", "games", "--url", "?1")
        #expect(sent.status == 74)
        #expect(sent.errorText.contains("Too little space"))
        #expect(try await node.run("conversation", "create", "more").status == 74)
        let (status, _, text) = try await get("/readyz", of: watched)
        #expect(status == 503 && text == "too little space is left on the disk\n")
        let said = try await node.ask(NodeStatus.self, "status")
        #expect(said.troubles == [.storeFull])
        #expect(said.store.state == .full)
        let detail = try #require(said.store.detail)
        #expect(detail.contains("limits.free-space keeps 943718400 MiB free"))
        #expect(try await node.run("conversation", "leave", "games").status == 0)
        let left = try await node.ask([Conversation].self, "conversation", "list")
        #expect(left.isEmpty)
        await node.end()
    }

    private func quotas(
        _ text: String = "{conversation: {sessions: 2}, device: {sessions: 2}}"
    ) throws -> String {
        try files.write("parley.yaml", Data("quotas: \(text)\n".utf8))
    }

    /// What all conversations have together is bounded, messages that were acknowledged stay, and
    /// space that one of them leaves is used at once.
    @Test func allConversationsTogetherHaveAQuota() async throws {
        let watched = try await watched(
            "--config",
            try quotas("{all-conversations: {sessions: 2}}")
        )
        let node = watched.node
        for name in ["games", "more"] {
            _ = try await node.ask(Conversation.self, "conversation", "create", name)
            _ = try await node.ask(SentMessage.self, "send", "-c", name, "--url", "?1")
        }
        let refused = try await node.run("send", "-c", "more", "--url", "?2")
        #expect(refused.status == 74)
        #expect(refused.errorText.contains("(2, or 65536 MiB)"))
        #expect(refused.errorText.contains("raise quotas.all-conversations"))
        let (status, _, text) = try await get("/readyz", of: watched)
        #expect(status == 503 && text == "quotas.all-conversations is used up\n")
        let metrics = try await get("/metrics", of: watched).2
        #expect(metrics.contains("\nparley_quota_used_ratio{quota=\"all-conversations\"} 1.0\n"))
        let said = try await node.ask(NodeStatus.self, "status")
        #expect(said.troubles == [.quotaFull])
        #expect(said.store.state == .quotaFull)
        #expect(said.sessions == 2)
        #expect(try await node.run("conversation", "leave", "games", "--force").status == 0)
        _ = try await node.ask(SentMessage.self, "send", "-c", "more", "--url", "?2")
        await node.end()
    }

    @Test func aPortThatIsTakenIsNamed() async throws {
        let watched = try await watched()
        let port = try #require(URL(string: watched.address)?.port)
        let other = try await Program.run(
            ["node", "--metrics", "\(port)", "--no-discovery", "--data", files.path("other")]
        )
        #expect(other.status == 73)
        #expect(other.errorText.contains("--metrics HOST:PORT"))
        #expect(other.text.isEmpty, "it was ready before")
        await watched.node.end()
    }
}
