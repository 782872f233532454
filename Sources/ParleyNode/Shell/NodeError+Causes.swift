package import ParleyCore
import ParleyStore
import ParleyTransport

extension NodeError {
    /// The error of a store that cannot be opened.
    init(_ error: StoreError) {
        self =
            switch error {
            case .inUse(let path, let process): .dataDirectoryInUse(path: path, process: process)
            case .tooOpen(let path, _), .foreignOwner(let path, _, _), .occupied(let path),
                .unreachable(let path, _), .newerSchema(let path, _), .oldSignatures(let path, _),
                .foreign(let path), .lost(let path), .corrupt(let path, _), .readOnly(let path):
                .dataDirectoryUnusable(path: path, reason: error.description, hint: "")
            // A node that does not start does not go on by itself.
            case .full(let path):
                .storeFailed("No space is left for \(path). Free some and start the node again.")
            case .locked(let path):
                .storeFailed("\(path) is locked by another program. Close it and start again.")
            case .scarce, .io, .closed, .damaged, .failed: NodeError(whileRunning: error)
            }
    }

    /// The error of an open store that fails, always with the exit code of input and output.
    init(whileRunning error: StoreError) {
        self = error.isLackOfSpace ? .storeFull : .storeFailed(error.description)
    }

    init(_ error: TransportError) {
        self =
            switch error {
            case .portInUse(let port): .portInUse("\(port)")
            default: .notListening(error.description)
            }
    }

    /// The error of an answer to an author; nil if the message was stored.
    package init?(_ answer: AuthorAnswer, draft: Draft, conversation: String) {
        switch answer {
        case .stored: return nil
        case .stale(let heads): self = .stale(heads: heads.map(MessageID.init))
        case .notYourTurn(let next): self = .notYourTurn(next: next.map(\.uuid))
        case .notPlayable(let fault): self = .notPlayable(Match.Fault(fault))
        case .tooLarge(let bytes, let limit):
            self = .tooLarge(what: "the message", size: bytes, limit: limit)
        case .storeFull: self = .storeFull
        case .sessionFull: self = .sessionFull
        case .conversationFull(let shortage, let limit):
            self = .conversationFull(conversation, KeptShare(shortage, limit: limit))
        case .readOnly: self = .readOnly(conversation: conversation)
        case .notMember(let standing):
            self = .keys(conversation: conversation, KeysFault(standing))
        case .unknownConversation: self = .unknownConversation(conversation)
        case .unknownGuest: self = .unknownGuest
        case .malformed(let what): self = .badDraft(what)
        }
    }
}

extension KeptShare {
    /// The quota that is used up.
    fileprivate init(_ shortage: Shortage, limit: KeptAmount) {
        self =
            switch shortage {
            case .conversation: .conversation
            case .openConversations: .openConversations
            case .allConversations:
                .allConversations(messages: limit.heads, bytes: limit.bytes)
            case .device: .device(messages: limit.heads, bytes: limit.bytes)
            case .origins: .devices
            }
    }
}
