public import Foundation
package import ParleyCore

/// A message to send.
public struct Draft: Hashable, Sendable {
    /// The session to replace the message of, or a new one.
    public var session: SessionID
    /// What it says.
    public var content: MessageContent
    /// The picture of its layout.
    public var picture: Picture?
    /// Who may replace it, at most 16; empty: anybody.
    public var next: [UUID] = []
    /// The heads that it replaces; nil: all that this node has.
    public var replacing: [MessageID]?
    /// Whether it ends the session.
    public var isEnd = false
    /// Whether `NodeEvent.delivered` tells as more nodes have it.
    public var tellsDelivery = false

    /// A message of `session`.
    public init(session: SessionID = SessionID(), content: MessageContent) {
        self.session = session
        self.content = content
    }
}

/// What to wait for before a message counts as sent.
public enum SendWait: Hashable, Sendable {
    /// It is on this node's disk.
    case stored
    /// It is on the disks of so many more nodes, relays included, within so long.
    case delivered(nodes: Int, timeout: Duration)
}

/// A message that was sent.
public struct SentMessage: Hashable, Sendable {
    /// Its session.
    public let session: SessionID
    /// Its name.
    public let id: MessageID
    /// Its revision.
    public let revision: UInt64
    /// How many other nodes are known to have it.
    public let nodes: Int

    package init(session: SessionID, id: MessageID, revision: UInt64, nodes: Int) {
        self.session = session
        self.id = id
        self.revision = revision
        self.nodes = nodes
    }
}

extension SentMessage {
    /// A message that is stored here, and nowhere else as far as is known.
    package init(stored message: AuthoredMessage) {
        self.init(
            session: SessionID(message.session),
            id: MessageID(message.dot),
            revision: message.revision,
            nodes: 0
        )
    }
}
