import Foundation
import ParleyNode

/// Sessions that changed while an app was closed, for each app and conversation, in a form that
/// lasts longer than the host.
struct Arrivals: Equatable {
    /// An app in a conversation.
    struct Place: Hashable, Codable, Comparable {
        let app: String
        let conversation: String

        static func < (left: Place, right: Place) -> Bool {
            (left.conversation, left.app) < (right.conversation, right.app)
        }
    }

    private var missed: [Place: MissedSessions] = [:]

    /// The most apps in conversations of which arrivals are remembered.
    static let placesMax = 256
    /// The most bytes of the coded form, which limits refuse before anything is decoded.
    static let bytesMax = 16 << 20

    var isEmpty: Bool { missed.isEmpty }

    /// The session has changed, perhaps once more.
    mutating func add(_ session: SessionID, at place: Place) {
        guard missed[place] != nil || missed.count < Self.placesMax else { return }
        missed[place, default: MissedSessions()].add(session)
    }

    /// Returns the sessions in the order of their latest change, and forgets them.
    mutating func take(at place: Place) -> [SessionID] {
        missed.removeValue(forKey: place)?.inOrder ?? []
    }

    /// Forgets all conversations but these.
    mutating func keep(_ conversations: Set<String>) {
        missed = missed.filter { conversations.contains($0.key.conversation) }
    }
}

extension Arrivals: Codable {
    /// The coded form of one place.
    private struct Entry: Codable {
        let place: Place
        let sessions: [UUID]
    }

    init(from decoder: any Decoder) throws {
        for entry in try [Entry](from: decoder) {
            for session in entry.sessions { add(SessionID(session), at: entry.place) }
        }
    }

    func encode(to encoder: any Encoder) throws {
        let entries = missed.sorted { $0.key < $1.key }
        try entries.map { Entry(place: $0.key, sessions: $0.value.inOrder.map(\.uuid)) }
            .encode(to: encoder)
    }
}
