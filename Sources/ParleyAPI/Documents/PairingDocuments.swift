/// A pairing with another device.
package struct PairingDocument: Codable, Hashable, Sendable {
    package var id: String
    package var device: String
    package var name: String?
    /// `asked`, `waiting`, `comparing`, or how it ended: `done`, `notJoined`, `nothingShared`,
    /// `cancelled`, `declined`, `refused`, `timedOut`, `lost`, `unsupported`, `forged`.
    package var stage: String
    /// Whether it is over.
    package var ended: Bool
    /// Of `asked`: present and true if the other device shares a conversation.
    package var shares: Bool?
    /// Of `comparing`: the six digits.
    package var digits: String?
    /// Of `comparing`: present and true if the person here has confirmed.
    package var confirmed: Bool?
    /// Of `done`: the conversation that this node joined by it.
    package var joined: String?
    /// Of an end that needs words: what happened, and the remedy.
    package var message: String?
    package var hint: String?

    package init(id: String, device: String, name: String? = nil, stage: String, ended: Bool) {
        self.id = id
        self.device = device
        self.name = name
        self.stage = stage
        self.ended = ended
    }
}

/// A request to pair.
package struct PairRequest: Codable, Hashable, Sendable {
    /// A name, the beginning of a device ID, or an address.
    package var device: String
    /// The conversation to share, if any.
    package var conversation: String?
    /// The role that the other device gets; the default is `writer`.
    package var role: String?

    package init(device: String, conversation: String? = nil, role: String? = nil) {
        self.device = device
        self.conversation = conversation
        self.role = role
    }
}
