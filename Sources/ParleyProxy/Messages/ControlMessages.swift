/// A request to the control of the proxies.
package struct ControlRequest: Sendable {
    package let method: String
    /// The path with its escapes, without the query.
    package let path: String
    package let query: String
    package let userAgent: String
    package let body: [UInt8]

    /// A request with a path that may have a query.
    package init(_ method: String, _ path: String, userAgent: String = "", body: [UInt8] = []) {
        self.method = method
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.path = String(parts[0])
        query = parts.count > 1 ? String(parts[1]) : ""
        self.userAgent = userAgent
        self.body = body
    }
}

/// The answer of the control: status, fields in their order, and body.
package struct ControlAnswer: Hashable, Sendable {
    /// A field of the head.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    package let status: Int
    package private(set) var fields: [Field] = []
    package let body: String

    /// An answer with a body of that type, or with neither.
    package init(_ status: Int, type: String? = nil, body: String = "") {
        self.status = status
        self.body = body
        if let type { fields.append(Field(name: "Content-Type", value: type)) }
    }

    static func json(_ text: String, status: Int = 200) -> ControlAnswer {
        ControlAnswer(status, type: "application/json", body: text)
    }

    /// A plain error, as Go writes it.
    static func plain(_ status: Int, _ text: String) -> ControlAnswer {
        ControlAnswer(status, type: "text/plain; charset=utf-8", body: text + "\n")
            .with("X-Content-Type-Options", "nosniff")
    }

    static func problem(_ problem: ControlProblem) -> ControlAnswer {
        let members = [
            ("error", JSONText.string(problem.message)), ("status", "\(problem.status)"),
        ]
        return plain(problem.status, JSONText.object(members))
    }

    /// The answer with a random number of its request.
    func withRequestID() -> ControlAnswer {
        let digits = Array("0123456789abcdefghijklmnopqrstuv")
        let number = String((0..<20).map { _ in digits[Int.random(in: 0..<32)] })
        return with("X-Toxiproxy-Request-Id", number)
    }

    func with(_ name: String, _ value: String) -> ControlAnswer {
        var answer = self
        answer.fields.append(Field(name: name, value: value))
        return answer
    }
}
