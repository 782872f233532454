import Foundation

/// What `parley node --json` prints when it is ready.
struct Ready: Decodable, Sendable {
    let device: String
    let name: String
    let addresses: [String]
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

/// What `parley send --json` prints.
struct Sent: Decodable, Hashable, Sendable {
    let session: String
    let id: String
    let revision: Int
    let state: String
    let nodes: Int
}

/// What `parley invite --json` prints.
struct Invite: Decodable, Sendable {
    let invite: String
}

/// What `parley join --json` prints.
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

/// What `parley status --json` prints.
struct Status: Decodable, Sendable {
    let device: String
    let links: Int
    let conversations: Int
    let sessions: Int
    let discovery: String
    let envelopesReceived: Int
    let envelopesSent: Int
}
