/// A pairing with another device.
package struct PairingDocument: Codable, Hashable, Sendable {
    package var id: String
    package var device: String
    package var name: String?
    /// `asked`, `waiting`, `comparing`, or how it ended: `done`, `linked`, `notJoined`,
    /// `nothingShared`, `ownedByOne`, `cancelled`, `declined`, `refused`, `timedOut`, `lost`,
    /// `unsupported`, `forged`.
    package var stage: String
    /// Whether it is over.
    package var ended: Bool
    /// Present and true if both devices are to be one person's.
    package var own: Bool?
    /// Of `asked`: present and true if the other device shares a conversation.
    package var shares: Bool?
    /// Of `comparing`: the six digits.
    package var digits: String?
    /// Of `comparing`: present and true if the person here has confirmed.
    package var confirmed: Bool?
    /// Of `done`: the conversation that this node has joined.
    package var joined: String?
    /// Of `linked`: the name of the person on all devices.
    package var person: String?
    /// Of an end that needs words: what happened, and the remedy.
    package var message: String?
    package var hint: String?
}
