import ParleyCore

/// Something that a node does now and then, and that enough seeds must reach.
///
/// A checker proves nothing about what never happens. The names are derived from the effects of
/// machines, so the core has no marks for them.
package enum RareEvent: String, CaseIterable, Sendable {
    // MARK: Answers

    case answersStale, answersNotYourTurn, answersNotPlayable, answersStoreFull
    case answersConversationFull, answersSessionFull, answersReadOnly, answersUnknownConversation
    case answersUnknownGuest, answersNotMember

    // MARK: Deliveries

    case countsNodes, findsConflict, settlesConflict, seesOutOfTurn, seesEquivocation, isFull
    case dropsHead, getsPicture, findsDamagedPicture, hearsSignal, meetsCopy, findsDivergence
    case findsDamagedRow, suspectsPeer
    case changesKeys, mayNotChangeKeys, followsKeys, isThrownOut
    case letsIn, isLetIn, findsInviteOver, findsInviteUnknown, findsNobodyHome

    // MARK: Refusals and ends of links

    case refusesMalformed, refusesUnexpected, refusesCertificate, refusesProof, refusesPicture
    case refusesOverLimit, refusesContradiction
    case endsIncompatible, endsNothingShared, endsDuplicate, endsSilent, endsLeft, endsBusy
    case endsSelf, endsSpare, endsStopping, endsRemoved

    // MARK: Store

    case forgetsConversation, forgetsIncarnations, dropsPicture, dropsChunks, emptiesSeat
    case readsSession, readsChunk, checksPicture, asksForReceipt
}

extension RareEvent {
    /// The event behind an answer; nil for a message that was stored, and for mistakes of callers.
    init?(_ answer: AuthorAnswer) {
        switch answer {
        case .stale: self = .answersStale
        case .notYourTurn: self = .answersNotYourTurn
        case .notPlayable: self = .answersNotPlayable
        case .storeFull: self = .answersStoreFull
        case .conversationFull: self = .answersConversationFull
        case .sessionFull: self = .answersSessionFull
        case .readOnly: self = .answersReadOnly
        case .unknownConversation: self = .answersUnknownConversation
        case .unknownGuest: self = .answersUnknownGuest
        case .notMember: self = .answersNotMember
        case .stored, .tooLarge, .malformed: return nil
        }
    }

    init?(_ delivery: Delivery) {
        switch delivery {
        case .answer(_, let answer): self.init(answer)
        case .linked, .delivered: self = .countsNodes
        case .conflict(let conflict):
            self = conflict.heads.count > 1 ? .findsConflict : .settlesConflict
        case .outOfTurn: self = .seesOutOfTurn
        case .equivocation: self = .seesEquivocation
        case .full: self = .isFull
        case .headDropped: self = .dropsHead
        case .blobArrived: self = .getsPicture
        case .blobDamaged: self = .findsDamagedPicture
        case .signal: self = .hearsSignal
        case .duplicateIdentity: self = .meetsCopy
        case .divergence: self = .findsDivergence
        case .damaged: self = .findsDamagedRow
        case .refused(_, _, _, let refusal): self.init(refusal)
        case .link(let notice): self.init(notice.change)
        case .letIn: self = .letsIn
        case .knocked(let notice): self.init(notice.end)
        case .rotated(_, .success): self = .changesKeys
        case .rotated(_, .failure): self = .mayNotChangeKeys
        case .generation(let notice):
            self = notice.standing == .out ? .isThrownOut : .followsKeys
        case .shown, .pairing, .shared, .admissions: return nil
        }
    }

    private init(_ end: KnockNotice.End) {
        switch end {
        case .letIn: self = .isLetIn
        case .refused(.ended), .refused(.usedUp), .refused(.revoked): self = .findsInviteOver
        case .refused(.unknown), .refused(.later): self = .findsInviteUnknown
        case .unanswered: self = .findsNobodyHome
        }
    }

    private init?(_ refusal: ParleyCore.Refusal) {
        switch refusal {
        case .malformed: self = .refusesMalformed
        case .unexpected: self = .refusesUnexpected
        case .uncertified, .badCertificate: self = .refusesCertificate
        case .badProof: self = .refusesProof
        case .badBlob: self = .refusesPicture
        case .contradictory: self = .refusesContradiction
        case .overLimit: self = .refusesOverLimit
        case .incompatible: return nil
        }
    }

    private init?(_ change: LinkNotice.Change) {
        if case .suspected = change {
            self = .suspectsPeer
            return
        }
        guard case .closed(.said(let reason, _)) = change else { return nil }
        switch reason {
        case .incompatible: self = .endsIncompatible
        case .nothingShared: self = .endsNothingShared
        case .duplicate: self = .endsDuplicate
        case .silent: self = .endsSilent
        case .left: self = .endsLeft
        case .busy: self = .endsBusy
        case .selfLink: self = .endsSelf
        case .spare: self = .endsSpare
        case .removed: self = .endsRemoved
        case .stopping: self = .endsStopping
        case .other, .malformed, .overLimit, .forged: return nil
        }
    }

    init?(_ write: StoreWrite) {
        switch write {
        case .conversationLeft: self = .forgetsConversation
        case .incarnationsForgotten: self = .forgetsIncarnations
        case .blobDropped: self = .dropsPicture
        case .blobChunksDropped: self = .dropsChunks
        case .seat(_, _, nil): self = .emptiesSeat
        default: return nil
        }
    }

    init(_ read: StoreRead) {
        switch read {
        case .session: self = .readsSession
        case .blobChunk: self = .readsChunk
        case .blob: self = .checksPicture
        }
    }
}

extension WorldFigures {
    /// Notes the rare events among the effects of a machine.
    mutating func note(_ effects: Effects) {
        rare.formUnion(effects.deliveries.compactMap { RareEvent($0) })
        rare.formUnion((effects.persist?.writes ?? []).compactMap { RareEvent($0) })
        rare.formUnion(effects.reads.map { RareEvent($0) })
        if !effects.receipts.isEmpty { rare.insert(.asksForReceipt) }
    }
}
