package import ParleyCore

/// What a link hands over: a capability of a conversation and what the inviter calls it.
///
/// The bytes of a link are in `docs/protocol.md`, section "Invites".
package struct Invite: Sendable, Equatable {
    package let capability: Capability
    package let name: ConversationName
    /// Whether everybody can derive the keys from the name.
    package let isOpen: Bool

    /// An invite that gives all of `capability`; `isOpen` follows from it and the name.
    package init(_ capability: Capability, name: ConversationName) {
        self.capability = capability
        self.name = name
        isOpen = capability.isOpen(as: name)
    }

    /// An invite to the open conversation called `name`, as a writer.
    package init(openConversation name: ConversationName) {
        self.init(Capability(openConversation: name), name: name)
    }

    /// Reads `parley:…` or `open:NAME`; space and line ends may surround it.
    package init(parsing text: String) throws(InviteError) {
        self = try InviteText.parse(text)
    }

    package var role: Role { capability.role }

    /// The link: `open:NAME` for the writer of an open conversation, else `parley:…`.
    ///
    /// Secret unless open. The same invite gives the same text for ever.
    package var text: String {
        isOpen && role == .writer ? InviteText.openScheme + name.text : InviteText.link(self)
    }

    /// The same conversation and name with exactly `role`.
    ///
    /// - Throws: `roleTooLow` if that is more than this invite gives.
    package func limited(to role: Role) throws(CapabilityError) -> Invite {
        Invite(try capability.limited(to: role), name: name)
    }
}

extension Invite: CustomStringConvertible, CustomReflectable {
    /// Role, name and conversation, and no key: fit for a log.
    package var description: String {
        "\(role) invite to \(isOpen ? "open " : "")\(name) (\(capability.conversationID))"
    }

    package var customMirror: Mirror { Mirror(self, children: ["invite": description]) }
}
