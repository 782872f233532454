import Foundation
import Messages

/// A question, answers, and who chose which: as JSON, in base 64, in a URL.
struct Poll: Codable, Equatable {
    struct Option: Codable, Equatable {
        let title: String
        var voters: Set<UUID> = []
    }

    let id: UUID
    let question: String
    var options: [Option]
    let closes: Date

    mutating func vote(_ voter: UUID, for index: Int) {
        for other in options.indices { options[other].voters.remove(voter) }
        options[index].voters.insert(voter)
    }

    var leaders: [String] {
        let most = options.map { $0.voters.count }.max() ?? 0
        return options.filter { $0.voters.count == most }.map { $0.title }
    }
}

enum PollError: Error {
    case noURL
    case noPayload
}

extension Poll {
    private static let key = "poll"

    init(message: MSMessage) throws {
        guard let url = message.url else { throw PollError.noURL }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems
        guard
            let text = items?.first(where: { $0.name == Poll.key })?.value,
            let data = Data(base64Encoded: text)
        else { throw PollError.noPayload }
        self = try JSONDecoder().decode(Poll.self, from: data)
    }

    func makeURL() throws -> URL {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = try encoder.encode(self).base64EncodedString()
        var components = URLComponents()
        components.scheme = "https"
        components.host = "polls.example"
        components.queryItems = [URLQueryItem(name: Poll.key, value: text)]
        guard let url = components.url else { throw PollError.noURL }
        return url
    }
}

extension MSMessageTemplateLayout {
    convenience init(poll: Poll, local: UUID) {
        self.init()
        caption = poll.question
        subcaption = poll.leaders.joined(separator: ", ")
        trailingCaption = "\(poll.options.flatMap { $0.voters }.count)"
        trailingSubcaption = "by $\(local)"
    }
}

extension MSMessage {
    convenience init(poll: Poll, local: UUID, session: MSSession?) throws {
        self.init(session: session ?? MSSession())
        url = try poll.makeURL()
        layout = MSMessageTemplateLayout(poll: poll, local: local)
        summaryText = "Poll: \(poll.question)"
        accessibilityLabel = summaryText
    }
}
