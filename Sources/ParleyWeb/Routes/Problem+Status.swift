package import ParleyAPI

extension Problem {
    /// The HTTP status of a response with this problem.
    package var httpStatus: Int {
        switch kind {
        case .badInput, .badJSON, .usage, .badInvite, .badName, .badDraft, .badSetting, .noFile,
            .notAnImage, .badPlan, .faultNotPossible:
            400
        case .notSignedIn: 401
        case .notAllowed, .notRoot, .readOnly, .unreadable, .relayOnly, .notMember:
            403
        case .unknownRoute, .unknownConversation, .unknownSession, .unknownMessage, .unknownApp,
            .unknownDevice, .unknownPairing, .unknownGuest, .unknownInvite, .noOffer:
            404
        case .nothingThere, .refused, .staleAction, .stale, .notYourTurn, .notPlayable,
            .sessionFull, .conversationFull, .nameTaken, .alreadyJoined, .tooManyConversations,
            .tooManyGuests, .tooManyFiles, .tooManyInvites, .inviteOver, .keysRefused,
            .dataDirectoryInUse,
            .onlyCopies, .ambiguousDevice,
            .pairingUnderWay, .tooManyTries,
            .nothingToCompare, .notPaired, .pairedOtherwise, .fileExists:
            409
        case .tooLarge: 413
        case .unreadableInput, .cannotWrite, .demoFailed, .planFailed, .labFailed,
            .appDidNotStart, .dataDirectoryUnusable, .portInUse, .notListening, .storeFailed,
            .fellBehind, .internal:
            500
        case .noNode, .stopped, .tooManyStreams: 503
        case .notYetDelivered, .notYet, .noAnswer: 504
        case .storeFull, .noSpace: 507
        }
    }
}
