import Foundation

extension Problem {
    /// The problem with a session, unless it has one already or the text is not a UUID.
    package func naming(session: String?) -> Problem {
        var problem = self
        problem.session = self.session ?? session.flatMap { UUID(uuidString: $0)?.uuidString }
        return problem
    }

    /// The problem with the conversation, the session and the message in the path of a request
    /// below `/v1/`, unless it has them already.
    package func naming(objectsOf path: some StringProtocol) -> Problem {
        let parts = path.prefix { $0 != "?" }.split(separator: "/").map {
            String($0).removingPercentEncoding ?? ""
        }
        guard parts.count >= 2 else { return self }
        var problem = self
        switch parts[0] {
        case "conversations": problem.conversation = conversation ?? parts[1]
        case "sessions":
            problem = naming(session: parts[1])
            if parts.count >= 4, parts[2] == "messages", Self.isMessageID(parts[3]) {
                problem.id = id ?? parts[3]
            }
        default: break
        }
        return problem
    }

    private static func isMessageID(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9a-f]{32}-[1-9][0-9]*/) != nil
    }
}
