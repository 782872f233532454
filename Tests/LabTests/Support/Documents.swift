import Foundation

/// The line that `parley node --json` prints when it is ready.
struct Ready: Decodable, Sendable {
    let device: String
    let name: String
    let addresses: [String]
}

/// A page of a transcript.
struct TranscriptPage: Decodable {
    let entries: [Entry]
    let next: String?
}

/// A line of `parley transcript --json`.
struct Entry: Decodable, Hashable, Sendable {
    struct Sender: Decodable, Hashable, Sendable {
        let device: String
        let participant: String
        let name: String?
    }

    struct Layout: Decodable, Hashable, Sendable {
        let caption: String?
        let image: Image?
    }

    struct Image: Decodable, Hashable, Sendable {
        let sha256: String
        let type: String
        let bytes: Int
        let here: Bool
    }

    let kind: String
    let session: String
    let id: String
    let revision: Int
    let sender: Sender
    let url: String?
    let layout: Layout?
    let conflict: Bool?

    var isMessage: Bool { kind == "message" }
}

/// The output of `parley send --json`.
struct Sent: Decodable, Hashable, Sendable {
    let session: String
    let id: String
    let revision: Int
    let state: String
    let nodes: Int
}

/// The output of `parley invite --json`.
struct Invite: Decodable, Sendable {
    let invite: String
}

/// The output of `parley join --json`.
struct Joined: Decodable, Sendable {
    let name: String
    let role: String
    let participants: [Entry.Sender]
}

/// An entry of `parley conflicts --json`.
struct Conflict: Decodable, Hashable, Sendable {
    let session: String
    let shown: Entry
    let others: [Entry]
}

/// An entry of `parley peers --json` and `parley nearby --json`.
struct Peer: Decodable, Hashable, Sendable {
    let device: String
    let name: String?
    let state: String
    let address: String
}

/// A connection from another machine.
struct Visit: Decodable, Sendable {
    let address: String
}

/// The output of `parley status --json`.
struct Status: Decodable, Sendable {
    struct Discovery: Decodable, Sendable {
        let state: String
    }

    let device: String
    let links: Int
    let conversations: Int
    let sessions: Int
    let discovery: Discovery
    let visit: Visit?
    let envelopesReceived: Int
    let envelopesSent: Int
}
