public import Foundation

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
    /// The heads that the message replaces; nil for all heads on this node.
    public var replacing: [MessageID]?
    /// Whether only its author may write in the session.
    ///
    /// The node then gives the session the first half of the author's participant, and names the
    /// author as next.
    public var isOwn = false
    /// Whether the message ends the session.
    public var isEnd = false
    /// Whether `NodeEvent.delivered` reports the devices that have stored the message.
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
    /// The message is also on the disks of so many devices of other writers and readers, wherever
    /// they are; fails after `timeout`.
    case delivered(nodes: Int, timeout: Duration)
    /// The message is also on the disks of so many linked nodes, relays included; fails after
    /// `timeout`.
    case linked(nodes: Int, timeout: Duration)
}

/// A message that was sent.
public struct SentMessage: Hashable, Sendable, Codable {
    /// The condition that was waited for.
    package enum State: String, Hashable, Sendable, Codable {
        case stored, delivered, linked
    }

    /// The session of the message.
    public let session: SessionID
    /// The identity of the message.
    public let id: MessageID
    /// The revision of the message.
    public let revision: UInt64
    package let state: State
    /// The number of devices, or for `linked` of nodes, that are known to have stored the message.
    public let nodes: Int
    /// The line number in a batch, from 1.
    package var line: Int?

    package init(
        session: SessionID,
        id: MessageID,
        revision: UInt64,
        state: State = .stored,
        nodes: Int = 0
    ) {
        self.session = session
        self.id = id
        self.revision = revision
        self.state = state
        self.nodes = nodes
    }
}
