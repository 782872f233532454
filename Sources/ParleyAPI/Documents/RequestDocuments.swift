/// A request to create a conversation.
package struct CreateDocument: Codable, Hashable, Sendable {
    package var name: String

    package init(name: String) {
        self.name = name
    }
}

/// A request to join a conversation.
package struct JoinDocument: Codable, Hashable, Sendable {
    package var link: String
    /// The name on this node; the default is the name in the invite.
    package var name: String?

    package init(link: String, name: String?) {
        self.link = link
        self.name = name
    }
}

/// A request for an invite.
package struct InviteRequest: Codable, Hashable, Sendable {
    package var role: String

    package init(role: String) {
        self.role = role
    }
}

/// A question whether the disk has space for a file of so many bytes.
package struct SpaceRequest: Codable, Hashable, Sendable {
    package var bytes: Int

    package init(bytes: Int) {
        self.bytes = bytes
    }
}
