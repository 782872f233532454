package import Foundation

/// A conversation to make.
package struct CreateDocument: Codable, Hashable, Sendable {
    package var name: String

    package init(name: String) {
        self.name = name
    }
}

/// A conversation to join.
package struct JoinDocument: Codable, Hashable, Sendable {
    package var link: String
    /// What to call it here.
    package var name: String?

    package init(link: String, name: String?) {
        self.link = link
        self.name = name
    }
}

/// What kind of invite is wanted.
package struct InviteRequest: Codable, Hashable, Sendable {
    package var role: String

    package init(role: String) {
        self.role = role
    }
}

/// A message to send: the names are those of the options of `parley send`.
package struct SendDocument: Codable, Hashable, Sendable {
    package var url: String?
    package var session: String?
    package var caption: String?
    package var subcaption: String?
    package var trailingCaption: String?
    package var trailingSubcaption: String?
    package var imageTitle: String?
    package var imageSubtitle: String?
    /// The picture's file; read by the command, never by the node.
    package var image: String?
    /// The picture's bytes in base64, and its media type.
    package var imageData: Data?
    package var imageType: String?
    package var summary: String?
    package var accessibilityLabel: String?
    package var app: String?
    package var next: [String]?
    package var replacing: [String]?
    /// `stored`, or `delivered=N`.
    package var wait: String?
    /// Seconds; 10 if it is left out.
    package var timeout: Double?

    package init() {}
}

/// A message that was sent.
package struct SentDocument: Codable, Hashable, Sendable {
    package var session: String
    package var id: String
    package var revision: UInt64
    package var state: String
    package var nodes: Int
    /// The line of a batch, from 1.
    package var line: Int?

    package init(
        session: String,
        id: String,
        revision: UInt64,
        state: String,
        nodes: Int,
        line: Int? = nil
    ) {
        self.session = session
        self.id = id
        self.revision = revision
        self.state = state
        self.nodes = nodes
        self.line = line
    }
}
