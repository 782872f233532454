import Foundation
import ParleyAPI
import TestSupport
import Testing

/// A node that is killed in the middle of a batch still has everything that it acknowledged.
///
/// `PARLEY_TEST_KILLS` and `PARLEY_TEST_KILL_SENDS` make the test longer: it is meant to pass with
/// 20 and 10,000.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct KillTests {
    private static let kills = number("PARLEY_TEST_KILLS") ?? 3
    private static let sends = number("PARLEY_TEST_KILL_SENDS") ?? 2_000

    @Test func nothingAcknowledgedIsMissingAfterKill() async throws {
        let directory = try TestDirectory()
        let data = directory.path("node")
        let lines = (1...Self.sends).map { "?\($0)\n" }.joined()
        var acknowledged: [SessionID: MessageID] = [:]
        var sessions = 0
        var node = try await NodeProcess(data: data)
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        for round in 1...Self.kills {
            let running = node
            async let batch = running.run(
                "send",
                "-c",
                "games",
                "--url",
                "-",
                "--json",
                input: Data(lines.utf8)
            )
            // Each round kills the node at another moment of the batch.
            let enough = sessions + max(1, Self.sends * (round * 37 % 90) / 100)
            _ = try await eventually("the middle of round \(round)", within: .seconds(120)) {
                let status = try await running.ask(NodeStatus.self, "status")
                return status.sessions >= enough ? true : nil
            }
            await node.end(with: SIGKILL)
            let sent = try await batch
            #expect([0, 69].contains(sent.status), "\(sent.errorText)")
            for line in try sent.documents(SentMessage.self) {
                acknowledged[line.session] = line.id
            }
            node = try await NodeProcess(data: data)
            let shown = try await node.transcript()
            sessions = shown.count
            let present = Dictionary(shown.map { ($0.session, $0.id) }) { $1 }
            let missing = acknowledged.filter { present[$0.key] != $0.value }
            #expect(missing.isEmpty, "round \(round): \(missing.count) of \(acknowledged.count)")
        }
        #expect(!acknowledged.isEmpty)
        await node.end()
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init)
    }
}
