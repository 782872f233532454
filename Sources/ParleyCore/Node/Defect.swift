/// A deliberate mistake of a node, for checking that the checkers see it.
///
/// Only who makes a `NodeConfiguration` can ask for one: the simulator and tests. No command, file
/// or environment of `parley node` leads here. Each names the promise that it breaks.
package enum Defect: UInt8, CaseIterable, Sendable {
    // MARK: The disk

    /// Answers an author before the commit: acknowledged means on disk.
    case acknowledgesBeforeCommit
    /// Sends what it wrote before the commit: what was lost in a crash is nowhere, so that nothing
    /// later replaces it unseen.
    case sendsBeforeCommit
    /// Shows a message before the commit: what a node has shown is on its disk.
    case showsBeforeCommit
    /// Says `stored` before the commit: a feed position is confirmed once all of it is on disk.
    case positionBeforeCommit
    /// Writes only the shown head of a session: the others of a conflict are kept until they are
    /// replaced.
    case storesShownHeadOnly
    /// Lets envelopes leave memory before they are on disk: what is a head here can be sent.
    case evictsBeforeCommit
    /// Does not keep who stands behind an origin: its envelopes are passed on also after a restart.
    case losesOrigins
    /// Does not read tombstones back: a session that was ended stays ended.
    case forgetsTombstones

    // MARK: Writing

    /// Writes although other heads are there than were named: nothing is replaced unseen.
    case dropsStaleCheck
    /// Lets people write out of turn: the author's node enforces `next`.
    case ignoresTurn
    /// Claims to have seen the heads only, not what their authors had seen: a replaced message does
    /// not come back.
    case claimsHeadsOnly
    /// Writes in a conversation that it may only read: readers cannot author.
    case authorsAsReader
    /// Starts again in the block of sequences that was in use: no two envelopes share a dot.
    case reusesSequences
    /// Goes on in its epoch when it meets a copy of itself: copies number apart.
    case keepsEpochOfCopy

    // MARK: The register

    /// Of concurrent messages that which came last here wins: the same message is shown everywhere.
    case wallClockWinner
    /// Ties are settled by the digest alone: nobody can try contents until one wins.
    case contentSettlesTies
    /// Keeps what was seen of a session apart from its heads: nodes converge whatever writers
    /// claim.
    case storesContext
    /// Keeps one head: concurrent messages stay until they are replaced.
    case capsAtOneHead
    /// Does not take back what went over the cap: it leaves no trace and may come back.
    case capLeavesTrace
    /// A known envelope counts as a change: shown once, and no change, no position.
    case countsDuplicates
    /// Shows whatever head comes: a shown message never goes back.
    case showsLateHeads
    /// Says nothing of conflicts: each is reported on each node.
    case losesConflicts
    /// Says nothing of two envelopes under one dot: they are reported.
    case losesEquivocations

    // MARK: What is checked

    /// Takes envelopes without checking their proofs: forged ones are not stored, shown, passed on.
    case skipsProof
    /// Believes any certificate: only a writer can let a device write.
    case believesCertificates
    /// Takes envelopes that are proven for another conversation: none can be moved.
    case mixesConversations
    /// Takes its own tag for the peer's: a stranger that reflects it learns nothing.
    case believesReflectedTags
    /// Makes tags that fit on every link: one that is passed on by a stranger proves nothing.
    case tagsFitEveryLink
    /// Shows the conversation's ID instead of a tag: a stranger learns of no conversation.
    case showsConversationID
    /// Keeps the name that a stranger says: a stranger makes nobody write to disk.
    case keepsNamesOfStrangers
    /// Takes blobs without checking their hash: what a head lists is what its author sealed.
    case skipsBlobHash

    // MARK: The feed

    /// Goes on after a cursor's position, of whatever run: a node that was set back skips nothing.
    case ignoresRun
    /// Goes on in the run of the process before: each start of a node is a new run.
    case reusesRun
    /// Confirms positions of which told envelopes are missing: complete means all of it is here.
    case countsMissing
    /// Gives each head of a conflict the position: only the last of an entry carries it.
    case countsFirstHead
    /// Confirms what it dropped for want of room: the position is held.
    case confirmsDropped
    /// Takes no more than some envelopes a second: a rate may delay and never refuse.
    case refusesByRate
    /// Keeps what came over many hops to itself: catching up knows no hops.
    case limitsHopsOfCatchUp
    /// Never asks another holder: a want is met as long as somebody has it.
    case neverAsksAgain
    /// Asks again as soon as at first: what nobody has is asked for less and less often.
    case asksAgainAtOnce
    /// Encodes what it passes on: relays forward the bytes that they got.
    case encodesAnew
    /// Sends envelopes back where they came from: what a peer sent is never sent to it.
    case sendsBack
    /// Sends without regard to room and credit: what waits for a peer is bounded.
    case sendsWithoutBound
    /// Ignores an audit that differs: nodes that are level and differ repair it.
    case ignoresAudit
    /// Repairs what does not differ: an idle mesh is silent.
    case repairsAlways

    // MARK: Links

    /// Keeps all links to a device: one stays.
    case keepsDuplicateLinks
    /// Stays silent on an idle link: who is alive is known to be.
    case neverPings
}

/// The deliberate mistakes of a node; usually none.
package struct Defects: Sendable, Equatable, ExpressibleByArrayLiteral {
    private let bits: UInt64

    /// These and no others.
    package init(arrayLiteral defects: Defect...) {
        bits = defects.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    }

    package var isEmpty: Bool { bits == 0 }

    package func contains(_ defect: Defect) -> Bool {
        bits & 1 << UInt64(defect.rawValue) != 0
    }
}

/// What some defects have to remember; empty without them.
struct DefectMemory: Sendable {
    /// What was seen of each session, kept apart from its heads.
    var contexts: [SessionTag: [Dot]] = [:]
    /// What went over the cap of a session's heads.
    var dropped: Set<Dot> = []
    /// The second that is being counted, and the envelopes that came in it.
    private var second: Int64 = 0
    private var count = 0

    /// More envelopes a second are too many.
    private static let rate = 12

    mutating func isOverRate(at now: Moment) -> Bool {
        if now.nanoseconds / 1_000_000_000 != second {
            second = now.nanoseconds / 1_000_000_000
            count = 0
        }
        count += 1
        return count > Self.rate
    }

    /// Whether it was seen before, by what is kept apart.
    func hasSeen(_ dot: Dot, of tag: SessionTag) -> Bool {
        contexts[tag, default: []].contains {
            $0.origin == dot.origin && $0.sequence >= dot.sequence
        }
    }
}
