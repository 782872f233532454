import ParleyAPI
import ParleyNode
import Testing

/// A request and the problem with which it is refused.
struct RefusedRequest: Sendable, CustomTestStringConvertible {
    /// The parts of a request.
    struct Asked: Sendable {
        let method: String
        let path: String
        let body: [String]

        init(_ method: String, _ path: String, _ body: String...) {
            self.method = method
            self.path = path
            self.body = body
        }

        static func get(_ path: String) -> Asked { Asked("GET", path) }

        static func post(_ path: String, _ body: String) -> Asked { Asked("POST", path, body) }
    }

    let what: String
    let problem: Problem.Kind
    let status: Int
    let settings: @Sendable (inout NodeSettings) -> Void
    /// Prepares the node and makes the request.
    let asked: @Sendable (ControlBench) async throws -> Asked

    var testDescription: String { "\(problem.rawValue): \(what)" }

    init(
        _ problem: Problem.Kind,
        _ status: Int,
        _ what: String,
        settings: @escaping @Sendable (inout NodeSettings) -> Void = { _ in },
        _ asked: @escaping @Sendable (ControlBench) async throws -> Asked
    ) {
        self.what = what
        self.problem = problem
        self.status = status
        self.settings = settings
        self.asked = asked
    }

    /// Makes the request to a new node and checks the response.
    func check() async throws {
        try await ControlBench.with(settings) { bench in
            let asked = try await asked(bench)
            let answer = try await bench.client.call(asked.method, asked.path, asked.body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.type == "application/json")
            #expect(answer.problem == problem.rawValue, "\(answer.text)")
            let message = try answer.object()["message"] as? String
            #expect(message?.isEmpty == false, "there is a sentence for people")
        }
    }
}
