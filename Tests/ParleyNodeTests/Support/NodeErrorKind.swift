import ParleyNode

/// The cases of `NodeError` without what they carry, so that a table can have a line for each.
enum NodeErrorKind: String, CaseIterable, Sendable {
    case unknownConversation, unknownSession, unknownMessage
    case unknownDevice, ambiguousDevice, unknownPairing, unknownGuest
    case pairingUnderWay, pairedOtherwise, tooManyTries, nothingToCompare
    case badInvite, badName, badDraft, badSetting, tooLarge, noOffer
    case stale, notYourTurn, notPlayable, readOnly, sessionFull, conversationFull, unreadable,
        relayOnly, onlyCopies
    case notLetIn, unknownInvite, tooManyInvites, keys
    case nameTaken, alreadyJoined, tooManyConversations, tooManyGuests, tooManyFiles
    case dataDirectoryInUse, portInUse, notListening, dataDirectoryUnusable
    case storeFull, noSpace, storeFailed, notYetDelivered, stopped

    init(_ error: NodeError) {
        self =
            switch error {
            case .unknownConversation: .unknownConversation
            case .unknownSession: .unknownSession
            case .unknownMessage: .unknownMessage
            case .unknownDevice: .unknownDevice
            case .ambiguousDevice: .ambiguousDevice
            case .unknownPairing: .unknownPairing
            case .unknownGuest: .unknownGuest
            case .pairingUnderWay: .pairingUnderWay
            case .pairedOtherwise: .pairedOtherwise
            case .tooManyTries: .tooManyTries
            case .nothingToCompare: .nothingToCompare
            case .badInvite: .badInvite
            case .badName: .badName
            case .badDraft: .badDraft
            case .badSetting: .badSetting
            case .tooLarge: .tooLarge
            case .noOffer: .noOffer
            case .stale: .stale
            case .notYourTurn: .notYourTurn
            case .notPlayable: .notPlayable
            case .readOnly: .readOnly
            case .sessionFull: .sessionFull
            case .conversationFull: .conversationFull
            case .unreadable: .unreadable
            case .relayOnly: .relayOnly
            case .onlyCopies: .onlyCopies
            case .notLetIn: .notLetIn
            case .keys: .keys
            case .unknownInvite: .unknownInvite
            case .tooManyInvites: .tooManyInvites
            case .nameTaken: .nameTaken
            case .alreadyJoined: .alreadyJoined
            case .tooManyConversations: .tooManyConversations
            case .tooManyGuests: .tooManyGuests
            case .tooManyFiles: .tooManyFiles
            case .dataDirectoryInUse: .dataDirectoryInUse
            case .portInUse: .portInUse
            case .notListening: .notListening
            case .dataDirectoryUnusable: .dataDirectoryUnusable
            case .storeFull: .storeFull
            case .noSpace: .noSpace
            case .storeFailed: .storeFailed
            case .notYetDelivered: .notYetDelivered
            case .stopped: .stopped
            }
    }
}
