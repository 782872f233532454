package import Foundation
package import ParleyAPI

/// An entry of a transcript as a page draws it: its texts have names in place of participants.
package struct PageEntryDocument: Codable, Hashable, Sendable {
    /// The picture of an entry.
    package struct Picture: Codable, Hashable, Sendable {
        /// The path from which an `img` loads it.
        package var url: String
        /// The media type; that of the bytes themselves if the node has them.
        package var type: String
        package var bytes: Int
        /// Whether this node has the bytes.
        package var here: Bool
        /// In pixels; absent while the node has no bytes.
        package var width: Int?
        package var height: Int?
    }

    /// The file of an attachment.
    package struct File: Codable, Hashable, Sendable {
        /// The path from which it is downloaded.
        package var url: String
        package var name: String
        package var type: String
        package var bytes: Int
        package var here: Bool
        /// The state of an offered file, as in a `FileTransfer`; absent for other files.
        package var state: FileTransfer.State?
        package var done: Int?
        package var rate: Int?
        package var reason: String?
    }

    /// How far a message of this device has come.
    package struct Delivery: Codable, Hashable, Sendable {
        /// `stored` on this node only, or `delivered` to others.
        package var state: String
        /// The other nodes that have stored it.
        package var nodes: Int
        /// The other devices of the conversation.
        package var of: Int

        /// - Parameters:
        ///   - nodes: The other nodes that have stored the message.
        ///   - of: The other devices of the conversation.
        init(nodes: Int, of: Int) {
            state = nodes > 0 ? "delivered" : "stored"
            self.nodes = nodes
            self.of = of
        }
    }

    /// An emoji that people have put on a message.
    package struct Reaction: Codable, Hashable, Sendable {
        package var emoji: String
        /// Participants as their UUIDs.
        package var senders: [String]
    }

    /// `message`, `summary`, or `gone` for what was taken back, which only events have.
    package var kind: String
    package var session: String
    package var id: String
    package var revision: UInt64
    package var mine: Bool
    package var sender: Participant
    package var sentAt: Date
    /// `text`, `app`, `sticker`, `attachment` or `unreadable`.
    package var content: String
    /// The entry as one line.
    package var line: String
    /// The text that a screen reader speaks.
    package var label: String?
    package var url: String?
    /// The app name in the message.
    package var app: String?
    /// The name for people, and the ID, of the app of this node to which the message belongs.
    package var appName: String?
    package var appID: String?
    package var layout: ContentLayout?
    package var picture: Picture?
    package var file: File?
    /// The session that the message replies to.
    package var reply: String?
    /// Present and true if this is a text that its author has changed.
    package var edited: Bool?
    /// The number of heads, if the session has more than one.
    package var conflict: Int?
    package var next: [String]?
    /// Present and true if this device has the turn: the message names it as next, or names nobody
    /// and the rule of the app does.
    package var myTurn: Bool?
    /// The way into the match of the message for those without a seat: `join` or `watch`.
    package var way: String?
    /// Present and true if the message ends its session.
    package var end: Bool?
    package var delivery: Delivery?
    /// The stickers on the message, the oldest first.
    package var stickers: [StickerDocument]?
    /// The reactions to the message, the oldest first.
    package var reactions: [Reaction]?
}

/// An entry that is new or has changed.
package struct PageEntryEvent: Codable, Hashable, Sendable {
    package var conversation: String
    package var entry: PageEntryDocument
    /// Present and true if the entry was there before and has another picture, sticker,
    /// reaction, text or head.
    package var again: Bool?
}

/// The state of an offered file has changed.
package struct PageFileEvent: Codable, Hashable, Sendable {
    package var conversation: String
    package var session: String
    package var state: FileTransfer.State
    package var done: Int
    package var rate: Int?
    package var reason: String?

    package init(_ transfer: FileTransfer) {
        conversation = transfer.conversation
        session = transfer.session.description
        state = transfer.state
        done = transfer.done
        rate = transfer.rate
        reason = transfer.reason
    }
}

/// A message of this device has come further.
package struct PageDeliveryEvent: Codable, Hashable, Sendable {
    package var conversation: String
    package var session: String
    package var id: String
    package var delivery: PageEntryDocument.Delivery
}

/// A participant asks whoever sees the page to move.
package struct PageNudgeEvent: Codable, Hashable, Sendable {
    package var conversation: String
    package var session: String
    /// The name of the participant.
    package var name: String
}
