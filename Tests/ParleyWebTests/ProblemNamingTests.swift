import Foundation
import ParleyAPI
import ParleyNode
import ParleyWeb
import Testing

/// Every problem names the conversation, the session and the message that it is about.
@Suite(.timeLimit(.minutes(20)))
struct ProblemNamingTests {
    private static let messages = "conversations/games/messages"

    private static func problem(
        _ bench: ControlBench,
        _ method: String,
        _ path: String,
        _ body: String...
    ) async throws -> Problem {
        let answer = try await bench.client.call(method, path, body)
        #expect(answer.status >= 400, "\(answer.text)")
        return try JSON.decode(Problem.self, from: answer.body)
    }

    /// Regression: `notYetDelivered` had neither, so the UUID of a new session was lost.
    @Test func aMessageThatIsNotYetDeliveredIsNamed() async throws {
        try await ControlBench.with { bench in
            let body = #"{"url":"?","wait":"delivered=1","timeout":0.05}"#
            let problem = try await Self.problem(bench, "POST", Self.messages, body)
            let session = try #require(problem.session.flatMap { UUID(uuidString: $0) })
            let detail = try await bench.node.session(SessionID(session))
            #expect(detail.shown.id.description == problem.id)
            #expect(problem.conversation == "games")
            #expect(problem.message.contains(session.uuidString))
        }
    }

    /// The router takes several slashes for one, and so does the name.
    @Test func severalSlashesAreLikeOne() async throws {
        try await ControlBench.with { bench in
            let path = "//v1//conversations/nothing//transcript"
            let answer = try await bench.client.request("GET", path)
            let problem = try JSON.decode(Problem.self, from: answer.body)
            #expect(problem.kind == .unknownConversation)
            #expect(problem.conversation == "nothing")
        }
    }

    @Test func theLineOfABatchIsNamedToo() async throws {
        try await ControlBench.with { bench in
            let body = #"{"url":"?","wait":"delivered=1","timeout":0.05}"#
            let answer = try await bench.client.call("POST", "conversations/games/batch", [body])
            let problem = try JSON.decode(Problem.self, from: answer.body)
            #expect(problem.kind == .notYetDelivered)
            #expect(problem.session != nil && problem.id != nil)
            #expect((problem.conversation, problem.line) == ("games", 1))
        }
    }

    @Test func theSessionOfARefusedMessageIsNamed() async throws {
        try await ControlBench.with { bench in
            let session = try bench.sent.session.description
            let body = #"{"session":"\#(session)","replacing":[],"url":"?"}"#
            let problem = try await Self.problem(bench, "POST", Self.messages, body)
            #expect(problem.kind == .stale)
            #expect((problem.conversation, problem.session) == ("games", session))
        }
    }

    @Test func theObjectsOfThePathAreNamed() async throws {
        try await ControlBench.with { bench in
            let id = String(repeating: "a", count: 32) + "-7"
            let path = try "\(bench.session)/messages/\(id)/picture"
            let picture = try await Self.problem(bench, "GET", path)
            #expect(picture.session == (try bench.sent.session.description))
            #expect(picture.id == id)
            let nowhere = try await Self.problem(
                bench,
                "GET",
                "conversations/no%20where/transcript"
            )
            #expect(nowhere.conversation == "no where")
            let session = UUID().uuidString
            let unknown = try await Self.problem(bench, "GET", "sessions/\(session)")
            #expect(unknown.session == session)
            let malformed = try await Self.problem(bench, "GET", "sessions/status")
            #expect(malformed.session == nil)
        }
    }

    /// Regression: a node that was started as a relay was told to join with a writer's invite, and
    /// refused that.
    @Test func aRelayIsNotToldToJoinAsAWriter() async throws {
        let relay = Problem(NodeError.readOnly(conversation: "games", isRelay: true))
        #expect(!relay.hint.contains("join"))
        #expect(Problem(NodeError.readOnly(conversation: "games")).hint.contains("join"))
        try await ControlBench.with { bench in
            let invite = try await bench.node.invite(to: "games", role: .relay).link
            try await ControlBench.with({ $0.isRelay = true }) { other in
                _ = try await other.node.join(invite)
                let sent = try await Self.problem(other, "POST", Self.messages, #"{"url":"?"}"#)
                #expect(sent.kind == .readOnly)
                #expect(sent.hint == relay.hint)
                let path = "conversations/games/invites"
                let made = try await Self.problem(other, "POST", path, #"{"role":"writer"}"#)
                #expect(made.hint == relay.hint)
            }
        }
    }

    /// The number of messages is said, and `force` leaves all the same.
    @Test func leavingSaysHowManyMessagesWouldBeLost() async throws {
        try await ControlBench.with { bench in
            _ = try await bench.node.send(ControlBench.said("?second"), to: "games")
            let refused = try await Self.problem(bench, "DELETE", "conversations/games")
            #expect(refused.kind == .onlyCopies)
            #expect(refused.message.hasPrefix("2 messages "))
            #expect(refused.hint.contains("--force"))
            #expect(try await bench.node.conversations().count == 1)
            let path = "conversations/games?force=true"
            #expect(try await bench.client.call("DELETE", path).status == 204)
            #expect(try await bench.node.conversations().isEmpty)
        }
    }
}
