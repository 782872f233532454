import ParleyAPI

/// The exit codes of the commands, after sysexits.
enum ExitStatus: Int32, Sendable {
    case done = 0
    /// The exit code of `demo --once` if the nodes differ, and of `simulate` if a promise is
    /// broken.
    case failed = 1
    case usage = 64
    case badInput = 65
    case noNode = 69
    case `internal` = 70
    case cannotCreate = 73
    case inputOutput = 74
    case notYet = 75
    case noAnswer = 76
    case refused = 77
}

extension Problem {
    /// The exit code of a command that ends with this problem.
    var exitStatus: ExitStatus {
        switch kind {
        case .badInput, .badJSON, .unknownConversation, .unknownSession, .unknownMessage,
            .badInvite, .badName, .badDraft, .badSetting, .tooLarge, .noFile, .notAnImage,
            .badPlan, .unknownApp, .unknownDevice, .ambiguousDevice, .unknownPairing,
            .unknownGuest, .unknownInvite, .noOffer:
            .badInput
        case .usage, .unknownRoute: .usage
        case .notAllowed, .faultNotPossible, .notRoot, .nothingThere, .refused, .staleAction,
            .stale, .notYourTurn, .notPlayable, .readOnly, .sessionFull, .conversationFull,
            .unreadable,
            .relayOnly, .onlyCopies, .notSignedIn, .tooManyStreams, .pairingUnderWay, .tooManyTries,
            .nothingToCompare, .notPaired, .pairedOtherwise, .inviteOver, .notMember, .keysRefused:
            .refused
        case .unreadableInput, .cannotWrite, .storeFull, .storeFailed, .noSpace,
            .fellBehind:
            .inputOutput
        case .demoFailed, .planFailed: .failed
        case .labFailed, .nameTaken, .alreadyJoined, .tooManyConversations, .tooManyGuests,
            .tooManyFiles, .tooManyInvites, .dataDirectoryInUse, .dataDirectoryUnusable, .portInUse,
            .notListening, .fileExists:
            .cannotCreate
        case .appDidNotStart, .internal: .internal
        case .notYetDelivered, .notYet: .notYet
        case .noNode, .stopped: .noNode
        case .noAnswer: .noAnswer
        }
    }
}
