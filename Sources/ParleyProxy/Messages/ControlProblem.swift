/// An error of the control, with the status and the words of Toxiproxy.
package struct ControlProblem: Error, Hashable, Sendable {
    package let status: Int
    package let message: String

    package init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    static let proxyNotFound = ControlProblem(404, "proxy not found")
    static let proxyExists = ControlProblem(409, "proxy already exists")
    static let invalidStream = ControlProblem(
        400,
        "stream was invalid, can be either upstream or downstream"
    )
    static let invalidType = ControlProblem(400, "invalid toxic type")
    static let toxicExists = ControlProblem(409, "toxic already exists")
    static let toxicNotFound = ControlProblem(404, "toxic not found")

    static let connectionNotFound = ControlProblem(404, "connection not found")

    static func badBody(_ words: String) -> ControlProblem {
        ControlProblem(400, "bad request body: \(words)")
    }

    static func missing(_ field: String) -> ControlProblem {
        ControlProblem(400, "missing required field: \(field)")
    }
}
