/// Why a request was not done, with everything that the command and the page need to say so.
package struct Problem: Error, Codable, Hashable, Sendable {
    /// The stable name.
    package var error: String
    /// One sentence for people.
    package var message: String
    /// What to do about it; may be empty.
    package var hint: String
    /// The line of a batch, from 1.
    package var line: Int?

    package init(_ error: String, _ message: String, hint: String = "") {
        self.error = error
        self.message = message
        self.hint = hint
    }

    /// Something in the request is not as it must be.
    package static func badInput(_ message: String, hint: String = "") -> Problem {
        Problem("badInput", message, hint: hint)
    }
}

/// The exit codes of the commands, after sysexits.
package enum ExitStatus: Int32, Sendable {
    case done = 0
    /// What `demo --once` says when the nodes differ, and `simulate` when a promise is broken.
    case failed = 1
    case usage = 64
    case badInput = 65
    case noNode = 69
    case `internal` = 70
    case cannotCreate = 73
    case inputOutput = 74
    case notYet = 75
    case refused = 77
}

extension Problem {
    /// What the command exits with.
    package var exitStatus: ExitStatus { Self.kinds[error]?.exit ?? .internal }

    /// What the control API answers with.
    var httpStatus: Int { Self.kinds[error]?.http ?? 500 }

    /// Every name, in one place.
    private static let kinds: [String: (exit: ExitStatus, http: Int)] = [
        "badInput": (.badInput, 400),
        "badJSON": (.badInput, 400),
        "usage": (.usage, 400),
        "unknownRoute": (.usage, 404),
        "unknownConversation": (.badInput, 404),
        "unknownSession": (.badInput, 404),
        "unknownMessage": (.badInput, 404),
        "badInvite": (.badInput, 400),
        "badName": (.badInput, 400),
        "badDraft": (.badInput, 400),
        "badSetting": (.badInput, 400),
        "tooLarge": (.badInput, 413),
        "noFile": (.badInput, 400),
        "notAnImage": (.badInput, 400),
        "notAllowed": (.refused, 403),
        "unreadableInput": (.inputOutput, 500),
        "cannotWrite": (.inputOutput, 500),
        "demoFailed": (.failed, 500),
        "badPlan": (.badInput, 400),
        "planFailed": (.failed, 500),
        "faultNotPossible": (.refused, 400),
        "notRoot": (.refused, 403),
        "noLab": (.badInput, 400),
        "labFailed": (.cannotCreate, 500),
        "unknownApp": (.badInput, 404),
        "appDidNotStart": (.internal, 500),
        "nothingThere": (.refused, 409),
        "refused": (.refused, 409),
        "staleAction": (.refused, 409),
        "stale": (.refused, 409),
        "notYourTurn": (.refused, 409),
        "readOnly": (.refused, 403),
        "sessionFull": (.refused, 409),
        "unreadable": (.refused, 403),
        "relayOnly": (.refused, 403),
        "nameTaken": (.cannotCreate, 409),
        "alreadyJoined": (.cannotCreate, 409),
        "tooManyConversations": (.cannotCreate, 409),
        "dataDirectoryInUse": (.cannotCreate, 409),
        "dataDirectoryUnusable": (.cannotCreate, 500),
        "portInUse": (.cannotCreate, 500),
        "notListening": (.cannotCreate, 500),
        "storeFull": (.inputOutput, 507),
        "storeFailed": (.inputOutput, 500),
        "notYetDelivered": (.notYet, 504),
        "notYet": (.notYet, 504),
        "fellBehind": (.inputOutput, 500),
        "noNode": (.noNode, 503),
        "stopped": (.noNode, 503),
        "internal": (.internal, 500),
    ]
}
