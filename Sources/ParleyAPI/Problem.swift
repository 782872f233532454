/// Why a request was not done, with everything that the command and the page need to say so.
package struct Problem: Error, Codable, Hashable, Sendable {
    /// The stable name of what went wrong; `error` in JSON.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        // What was asked for cannot be understood.
        case badInput, badJSON, usage, unknownRoute, badInvite, badName, badDraft, badSetting,
            tooLarge

        // What was asked for is not here.
        case unknownConversation, unknownSession, unknownMessage, unknownApp

        // The node or the host of apps does not do it as things are.
        case stale, notYourTurn, readOnly, sessionFull, unreadable, relayOnly, nothingThere,
            refused, staleAction, notAllowed

        // Something cannot be made or opened.
        case nameTaken, alreadyJoined, tooManyConversations, dataDirectoryInUse,
            dataDirectoryUnusable, portInUse, notListening, appDidNotStart

        // The disk does not do its part.
        case storeFull, storeFailed

        // It is not done yet, or not completely.
        case notYetDelivered, notYet, fellBehind

        // There is no node that could do it.
        case noNode, stopped

        // A command has trouble with its own files.
        case noFile, notAnImage, unreadableInput, cannotWrite

        // The demo or a plan has failed, or cannot be carried out here.
        case demoFailed, badPlan, planFailed, faultNotPossible, notRoot, noLab, labFailed

        // A fault of Parley, or a kind that this version does not know.
        case `internal`
    }

    package var kind: Kind
    /// One sentence for people.
    package var message: String
    /// What to do about it; may be empty.
    package var hint: String
    /// The line of a batch, from 1.
    package var line: Int?

    private enum CodingKeys: String, CodingKey {
        case kind = "error"
        case message, hint, line
    }

    package init(_ kind: Kind, _ message: String, hint: String = "") {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    /// Reads a problem; a kind that is not known here becomes `internal`.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        kind = Kind(rawValue: try fields.decode(String.self, forKey: .kind)) ?? .internal
        message = try fields.decode(String.self, forKey: .message)
        hint = try fields.decode(String.self, forKey: .hint)
        line = try fields.decodeIfPresent(Int.self, forKey: .line)
    }

    /// Something in the request is not as it must be.
    package static func badInput(_ message: String, hint: String = "") -> Problem {
        Problem(.badInput, message, hint: hint)
    }
}
