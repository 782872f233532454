import Foundation
import Messages

/// Stops that a group agrees on; everybody adds and strikes.
final class Plan {
    private(set) var stops: [String]
    private(set) var author: UUID?

    init(stops: [String] = [], author: UUID? = nil) {
        self.stops = stops
        self.author = author
    }

    static func load(from conversation: MSConversation) -> Plan {
        guard
            let message = conversation.selectedMessage,
            let url = message.url,
            let components = NSURLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return Plan() }
        var stops = [String]()
        for (_, item) in (components.queryItems ?? []).enumerated()
        where item.name.hasPrefix("stop") {
            stops.append(item.value ?? "")
        }
        let sender = message.senderParticipantIdentifier
        let isMine = sender == conversation.localParticipantIdentifier
        return Plan(stops: stops, author: isMine ? nil : sender)
    }

    func add(_ stop: String) { stops.append(stop) }

    func makeMessage(for conversation: MSConversation) -> MSMessage {
        let components = NSURLComponents()
        components.queryItems = stops.enumerated().map {
            NSURLQueryItem(name: "stop\($0.offset)", value: $0.element) as URLQueryItem
        }
        let layout = MSMessageTemplateLayout()
        layout.caption = stops.joined(separator: " → ")
        layout.subcaption = conversation.remoteParticipantIdentifiers
            .map { "$\($0.uuidString)" }.joined(separator: ", ")
        let message = MSMessage(session: conversation.selectedMessage?.session ?? MSSession())
        message.url = components.url
        message.layout = layout
        return message
    }
}
