public import Foundation

/// Why a node refused a request or failed to carry it out.
public enum NodeError: Error, Hashable, Sendable {
    // Bad input
    case unknownConversation(String)
    case unknownSession(String)
    case unknownMessage(String)
    case badInvite(reason: String, hint: String)
    case badName(String)
    case badDraft(String)
    /// A name or an address in `NodeSettings` is not valid.
    case badSetting(String)
    /// No device nearby has the name, the beginning of its ID or the address.
    case unknownDevice(String)
    /// Several devices have the name or the beginning of their IDs, which are `devices`.
    case ambiguousDevice(String, devices: [String])
    /// There is no pairing with the ID.
    case unknownPairing
    /// This node made no invite of this number that ends.
    case unknownInvite(Int)
    /// The conversation has no guest of this node at the seat.
    case unknownGuest
    /// A part of the message is too large; sizes are in bytes, that of a URL in characters.
    case tooLarge(what: String, size: Int, limit: Int)
    /// The shown message of the session offers no file.
    case noOffer(String)

    // Refused
    /// The draft replaces other heads than the present ones, which are `heads`.
    case stale(heads: [MessageID])
    case notYourTurn(next: [UUID])
    /// The message is against the rules of its turn game.
    case notPlayable(Match.Fault)
    /// This node lacks the role that the request needs. With `isRelay`, the node was started as a
    /// relay and cannot get another role.
    case readOnly(conversation: String, isRelay: Bool = false)
    case sessionFull
    /// A share of this node's store is used up; sessions that are there can go on.
    case conversationFull(String, KeptShare)
    /// This node is a relay in the conversation and cannot read it.
    case unreadable(conversation: String)
    case relayOnly
    /// A pairing with another device, which has this name, is under way.
    case pairingUnderWay(with: String)
    /// The device was tried too often; it may be tried again after so many seconds.
    case tooManyTries(device: String, seconds: Int)
    /// The device of this name asks for the other kind of pairing: with `isOwn`, to become another
    /// device of the person here.
    case pairedOtherwise(with: String, isOwn: Bool)
    /// The pairing has no digits to compare.
    case nothingToCompare
    /// The node of a device, which has this name, does not let in by an invite that ends.
    case notLetIn(by: String, InviteEnd)
    /// No other node has said to have so many messages that this node wrote in the conversation.
    case onlyCopies(conversation: String, messages: Int)

    /// The keys of the conversation were changed without this node, or cannot be changed by it.
    case keys(conversation: String, KeysFault)

    // Cannot create
    /// Another conversation of this node has the name.
    case nameTaken(String)
    /// This node is in the conversation already, under the given name and with the given role.
    case alreadyJoined(as: String, Role)
    case tooManyConversations(limit: Int)
    /// As many invites as may be are open.
    case tooManyInvites(limit: Int)
    /// All seats for guests in a conversation are taken.
    case tooManyGuests(limit: Int)
    /// The node has as many files as it may, or takes over as many as it can at a time.
    case tooManyFiles(limit: Int)
    case dataDirectoryInUse(path: String, process: Int32?)
    case portInUse(String)
    /// The node cannot listen on an address.
    case notListening(String)
    case dataDirectoryUnusable(path: String, reason: String, hint: String)

    // Input and output
    case storeFull
    /// The disk has too little space for a file, by so many bytes.
    case noSpace(missing: Int)
    case storeFailed(String)

    // Time
    /// The message is stored, but fewer than `wanted` other nodes have confirmed it. `linked` nodes
    /// of the conversation have a link to this node; `full` of these store no new sessions now.
    case notYetDelivered(SentMessage, wanted: Int, linked: Int, full: Int)

    case stopped
}

/// Why a node does not let in by an invite that ends.
public enum InviteEnd: String, Hashable, Sendable, CaseIterable {
    /// The time of the invite is over.
    case ended
    /// As many devices came by the invite as may.
    case usedUp
    case revoked
    /// The node has no such invite, or not any more.
    case unknown
    /// There were too many wrong tries; a minute later there may be another one.
    case later
    /// The node was not found, or did not answer.
    case unanswered
}

/// Why a node has no current keys of a conversation, or cannot change them.
public enum KeysFault: Hashable, Sendable {
    /// Somebody changed the keys without this node's device.
    case thrownOut
    /// The keys for this node have not come yet.
    case missing
    /// Everybody can derive the keys of an open conversation.
    case open
    /// Only writers change keys.
    case readOnly
    /// Nobody's admission of this node's device is known here.
    case notAdmitted
    /// Whoever changed the keys without this node stands higher.
    case lower
    /// No member of the conversation is called so.
    case unknownMember(String)
    /// A node cannot throw itself out.
    case oneself
}

extension NodeError {
    /// The unit of the sizes in `tooLarge`.
    package static func unit(of what: String) -> String {
        ["the URL", "the text"].contains(what) ? "characters" : "bytes"
    }
}
