public import Foundation
package import ParleyCore

/// A message to send.
public struct Draft: Hashable, Sendable {
    /// The session of the message, existing or new.
    public var session: SessionID
    /// The content of the message.
    public var content: MessageContent
    /// The picture of the layout.
    public var picture: Picture?
    /// The participants who may replace the message, at most 16; empty means anybody.
    public var next: [UUID] = []
    /// The heads that the message replaces; nil for all heads that this node has.
    public var replacing: [MessageID]?
    /// Whether the message ends the session.
    public var isEnd = false
    /// Whether `NodeEvent.delivered` reports the nodes that have stored the message.
    public var tellsDelivery = false

    /// Makes a draft of a message of `session`.
    public init(session: SessionID = SessionID(), content: MessageContent) {
        self.session = session
        self.content = content
    }
}

/// The condition on which `Node.send` returns.
public enum SendWait: Hashable, Sendable {
    /// The message is on this node's disk.
    case stored
    /// The message is also on the disks of so many other nodes, relays included; fails after
    /// `timeout`.
    case delivered(nodes: Int, timeout: Duration)
}

/// A message that was sent.
public struct SentMessage: Hashable, Sendable {
    /// The session of the message.
    public let session: SessionID
    /// The identity of the message.
    public let id: MessageID
    /// The revision of the message.
    public let revision: UInt64
    /// The number of other nodes that are known to have stored the message.
    public let nodes: Int

    package init(session: SessionID, id: MessageID, revision: UInt64, nodes: Int) {
        self.session = session
        self.id = id
        self.revision = revision
        self.nodes = nodes
    }
}

extension SentMessage {
    /// Makes the value for a message that is stored on this node and on no other as far as is
    /// known.
    package init(stored message: AuthoredMessage) {
        self.init(
            session: SessionID(message.session),
            id: MessageID(message.dot),
            revision: message.revision,
            nodes: 0
        )
    }
}
