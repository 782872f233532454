package import Foundation
package import ParleyAPI

/// A node's proof to a page that it has signed in.
package struct PageProofDocument: Codable, Hashable, Sendable {
    /// The name under which a page keeps the key of this node.
    package var node: String
    /// The name of this run of the node.
    package var run: String
    /// HMAC-SHA-256 in hexadecimal, by the key, of the lines origin, `node`, nonce and run.
    package var proof: String
}

/// A QR code as a picture.
package struct CodeDocument: Codable, Hashable, Sendable {
    package var svg: String
}

/// A file that could be sent, as the receivers will see it.
package struct CheckedFileDocument: Codable, Hashable, Sendable {
    /// Whether they are shown a picture.
    package var picture: Bool
    /// Whether the picture tells more than it shows: place, time, camera.
    package var metadata: Bool
    /// The reason why a picture can only be saved.
    package var note: String?
}

/// Everything that a page shows but transcripts.
package struct PageDocument: Codable, Hashable, Sendable {
    /// The last event in this document; a stream of events can go on from there.
    package var event: String
    package var device: String
    package var name: String
    /// The guest who looks at the page; nil on the page of the node's owner.
    package var guest: GuestPlaceDocument?
    package var version: String
    package var conversations: [PageConversationDocument]
    package var apps: [AppDocument]
    /// The icons of the apps that have one, by the ID of the app.
    package var icons: [String: IconDocument] = [:]
    package var nearby: [Peer]
    /// The status of discovery, as in the status of the node.
    package var discovery: DiscoveryStatus
    package var peers: [Peer]
    /// The pairings under way, and the last ended ones.
    package var pairings: [PairingDocument]
    /// The open apps.
    package var panels: [PanelDocument]
    /// The input fields into which apps have put something.
    package var fields: [FieldDocument]
}

/// A conversation as a page lists it.
package struct PageConversationDocument: Codable, Hashable, Sendable {
    /// A device of the conversation.
    package struct Member: Codable, Hashable, Sendable {
        package var participant: String
        package var device: String
        package var name: String?
        /// The person to whom the device belongs, if that is known.
        package var person: PersonOfDevice?
        /// The name of the device that has the guest, or the beginning of its ID; nil for a device.
        package var host: String?
        /// Present and true for the device of this node, or the guest who looks at the page.
        package var mine: Bool?
        /// `connected`, `throughOthers` if messages reach it without a link, `unresponsive` if its
        /// link does not answer at the moment, or `away`.
        package var presence: String
        /// The name of the only device through which messages can reach it, if there is no other.
        package var through: String?
        /// When this node last heard from an absent device since the start, if ever.
        package var seen: Date?
    }

    package var name: String
    package var id: String
    package var role: String
    package var open: Bool
    /// The UUID of this device as a participant.
    package var me: String
    package var participants: [Member]
    /// Present and true if it is the turn of this device in some session.
    package var myTurn: Bool?
    /// Why this device has no part in the present keys; nil for a member.
    package var absence: Absence?
    /// Present and true if this device has joined and has not found any of the others yet.
    package var joining: Bool?
    /// The last entry of the transcript.
    package var last: PageEntryDocument?
}

/// Entries of a transcript.
package struct PageEntriesDocument: Codable, Hashable, Sendable {
    /// The last event that these entries include.
    package var event: String
    /// Oldest first.
    package var entries: [PageEntryDocument]
    /// The cursor in the request for the entries before these; nil if there are none.
    package var next: String?
}

/// A session with all its heads.
package struct PageSessionDocument: Codable, Hashable, Sendable {
    package var shown: PageEntryDocument
    package var others: [PageEntryDocument]
    package var replaced: [PageEntryDocument]
}
