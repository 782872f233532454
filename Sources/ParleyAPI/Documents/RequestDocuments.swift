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

/// A request for an invite; with `seconds` or `uses`, for one that ends.
package struct InviteRequest: Codable, Hashable, Sendable {
    package var role: String
    package var seconds: UInt64?
    package var uses: UInt32?

    package init(role: String, seconds: UInt64? = nil, uses: UInt32? = nil) {
        self.role = role
        self.seconds = seconds
        self.uses = uses
    }
}

/// A question whether the disk has space for a file of so many bytes.
package struct SpaceRequest: Codable, Hashable, Sendable {
    package var bytes: Int
}

/// A request for other keys of a conversation.
package struct KeysRequest: Codable, Hashable, Sendable {
    /// The names, IDs or beginnings of IDs of the members that are to be out.
    package var without: [String]
    /// Whether to change nothing, and only say what would be so.
    package var dryRun: Bool?

    package init(without: [String], dryRun: Bool? = nil) {
        self.without = without
        self.dryRun = dryRun
    }
}
