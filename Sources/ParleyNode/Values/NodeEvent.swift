public import Foundation

/// An event of a node.
public enum NodeEvent: Hashable, Sendable {
    /// A session shows another message, which is on disk.
    case shown(conversation: String, Message)
    /// A message was replaced and leaves a summary.
    case summarized(conversation: String, Summary)
    /// The heads of a session have changed; if there is only one, a conflict is resolved.
    case conflict(conversation: String, session: SessionID, heads: [MessageID])
    /// A participant replaced a message that named only others as next.
    case outOfTurn(conversation: String, session: SessionID?, MessageID, by: UUID)
    /// The picture of a shown message has arrived.
    case pictureArrived(conversation: String, session: SessionID)
    /// This device has stored a message, or the number of others that have has changed; only for
    /// messages whose draft has `tellsDelivery`.
    case delivered(conversation: String, session: SessionID, MessageID, nodes: Int)
    /// The state of an offered file has changed, or more of it is here.
    case file(FileTransfer)
    /// A participant, perhaps of this node, tells something about a game that no node keeps.
    case signal(conversation: String, session: SessionID, SignalKind, by: UUID)
    /// This node created, joined or left a conversation.
    case conversationsChanged
    /// A link to a device was established or has ended.
    case peerChanged(device: String, isConnected: Bool)
    /// Another process uses the identity of this device or of a peer.
    case duplicateIdentity(device: String, address: String)
    /// A pairing began, went on, or ended.
    case pairing(PairingState)
}

/// What a participant tells about a game at this moment.
public enum SignalKind: String, Hashable, Sendable, CaseIterable {
    /// The participant has the game open; told again every 15 to 20 seconds.
    case atBoard
    /// The participant has closed the game.
    case awayFromBoard
    /// The participant asks who is next to move.
    case nudge
}
