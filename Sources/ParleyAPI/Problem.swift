/// The reason why a request failed, with the texts that a command or a page shows to people.
package struct Problem: Error, Codable, Hashable, Sendable {
    /// The stable name of the reason, which is `error` in JSON.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        // The request is not valid.
        case badInput, badJSON, usage, unknownRoute, badInvite, badName, badDraft, badSetting,
            tooLarge

        // The object of the request does not exist.
        case unknownConversation, unknownSession, unknownMessage, unknownApp, unknownDevice,
            ambiguousDevice, unknownPairing, unknownGuest, unknownInvite, noOffer

        // The node or the host of apps refuses the request in the present state.
        case stale, notYourTurn, notPlayable, readOnly, sessionFull, conversationFull, unreadable,
            relayOnly, nothingThere, refused, staleAction, notAllowed, notSignedIn, onlyCopies,
            pairingUnderWay,
            tooManyTries, nothingToCompare, notPaired, pairedOtherwise, inviteOver, notMember,
            keysRefused

        // Something cannot be created or opened.
        case nameTaken, alreadyJoined, tooManyConversations, tooManyGuests, tooManyFiles,
            tooManyInvites, dataDirectoryInUse,
            dataDirectoryUnusable, portInUse, notListening, appDidNotStart

        // The disk is full or fails.
        case storeFull, storeFailed, noSpace

        // The request is not complete yet, or cannot be begun.
        case notYetDelivered, notYet, fellBehind, tooManyStreams

        // No node is running, or it does not answer.
        case noNode, stopped, noAnswer

        // A command cannot read or write its own files.
        case noFile, notAnImage, unreadableInput, cannotWrite, fileExists

        // The demo or a plan has failed or cannot be carried out.
        case demoFailed, badPlan, planFailed, faultNotPossible, notRoot, labFailed

        // There is a bug in Parley, or this version does not know the kind.
        case `internal`
    }

    package var kind: Kind
    /// One sentence for people.
    package var message: String
    /// The remedy; may be empty.
    package var hint: String
    /// The name of the conversation, if the request named one.
    package var conversation: String?
    /// The UUID of the session, if the request named one or the message to send got a new one.
    package var session: String?
    /// The ID of the message, if the request named or made one.
    package var id: String?
    /// The file that is at fault, if any, and the line number there or in a batch, from 1.
    package var file: String?
    package var line: Int?

    private enum CodingKeys: String, CodingKey {
        case kind = "error"
        case message, hint, conversation, session, id, file, line
    }

    package init(_ kind: Kind, _ message: String, hint: String = "") {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    /// Decodes a problem; an unknown kind becomes `internal`.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        kind = Kind(rawValue: try fields.decode(String.self, forKey: .kind)) ?? .internal
        message = try fields.decode(String.self, forKey: .message)
        hint = try fields.decode(String.self, forKey: .hint)
        conversation = try fields.decodeIfPresent(String.self, forKey: .conversation)
        session = try fields.decodeIfPresent(String.self, forKey: .session)
        id = try fields.decodeIfPresent(String.self, forKey: .id)
        file = try fields.decodeIfPresent(String.self, forKey: .file)
        line = try fields.decodeIfPresent(Int.self, forKey: .line)
    }

    /// Makes the problem for a request that is not valid.
    package static func badInput(_ message: String, hint: String = "") -> Problem {
        Problem(.badInput, message, hint: hint)
    }

    /// Makes the problem for a text that should be the UUID of a session.
    package static func notASession(_ text: String) -> Problem {
        .badInput("The session \(text.quoted) is not a UUID.", hint: sessionsHint)
    }

    /// The hint that leads to the UUIDs of sessions.
    package static let sessionsHint =
        "The UUIDs of sessions are in: parley transcript --long -c NAME"
}
