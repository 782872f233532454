public import Foundation

/// Why a node did not do what it was asked.
public enum NodeError: Error, Hashable, Sendable {
    // Bad input
    case unknownConversation(String)
    case unknownSession(String)
    case unknownMessage(String)
    case badInvite(reason: String, hint: String)
    case badName(String)
    case badDraft(String)
    /// A name or an address in `NodeSettings`.
    case badSetting(String)
    /// Sizes in bytes; a URL's in characters.
    case tooLarge(what: String, size: Int, limit: Int)

    // Refused
    /// The heads that are there now.
    case stale(heads: [MessageID])
    case notYourTurn(next: [UUID])
    case readOnly(conversation: String)
    case sessionFull
    /// A relay cannot read.
    case unreadable(conversation: String)
    case relayOnly

    // Cannot create
    /// Another conversation has the name.
    case nameTaken(String)
    /// The conversation is here already, under that name and with that role.
    case alreadyJoined(as: String, Role)
    case tooManyConversations(limit: Int)
    case dataDirectoryInUse(path: String, process: Int32?)
    case portInUse(String)
    /// An address to listen on cannot be used.
    case notListening(String)
    case dataDirectoryUnusable(path: String, reason: String, hint: String)

    // Input and output
    case storeFull
    case storeFailed(String)

    // Time
    case notYetDelivered(SentMessage, wanted: Int)

    case stopped
}
