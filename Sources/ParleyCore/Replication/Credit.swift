/// The credit that the peer gives this side.
package struct SendCredit: Sendable {
    package var envelopeLimit: UInt64 = 0
    package var blobLimit: UInt64 = 0
    private var namesLimit: UInt64 = 0
    package var envelopesSent: UInt64 = 0
    package var blobsSent: UInt64 = 0
    private var namesSent: UInt64 = 0
    /// The index of the replication that announced an envelope last.
    var lastAnnounced: Int?

    /// The most credit for which several frames wait as a whole, in bytes.
    ///
    /// A peer renews the credit when less than this is left, and no envelope needs more.
    static let renewedMin = CreditGrant.envelopeWindowMin / 2

    package init() {}

    package func allowsEnvelope(_ bytes: Int) -> Bool {
        envelopesSent + UInt64(bytes) <= envelopeLimit
    }

    /// The bytes of blobs that may be sent now.
    package var blobsLeft: UInt64 { blobLimit - blobsSent }

    /// The number of envelopes that may be announced now.
    package var namesLeft: Int { Int(clamping: namesLimit - namesSent) }

    /// Counts envelopes that are announced, at most `namesLeft` of them.
    package mutating func announces(_ count: Int) { namesSent += UInt64(count) }

    /// The peer names its totals, which never decrease.
    package mutating func granted(_ credit: Credit) throws(Refusal) {
        guard credit.envelopeBytes >= envelopeLimit, credit.blobBytes >= blobLimit,
            credit.names >= namesLimit
        else { throw .contradictory("credit that decreases") }
        envelopeLimit = credit.envelopeBytes
        blobLimit = credit.blobBytes
        namesLimit = credit.names
    }
}

/// The credit that this side gives the peer.
package struct CreditGrant: Sendable {
    /// Blob bytes that may be in flight to us on one link.
    package static let blobWindow: UInt64 = 512 << 10
    /// Envelope bytes that may be in flight to us on one link.
    static let envelopeWindow = 1 << 20
    /// The smallest window: the longest envelope fits into half of it.
    static let envelopeWindowMin = 2 * (Limits.envelopeBytes + EnvelopeFrame.prefixBytes)

    /// The bytes of envelopes that each of `members` links may have in flight to this node, if the
    /// commit queue may hold `capacity` bytes.
    ///
    /// If a part is too small for the longest envelopes, the result is nil, so that the link waits
    /// for the next commit. With an empty queue no commit would come, so the least window is given.
    package static func envelopeWindow(
        besides commits: Commits,
        sharedBy members: Int,
        of capacity: Int
    ) -> UInt64? {
        guard !commits.isBlocked, members > 0 else { return nil }
        let left = max(0, capacity - commits.pendingBytes)
        let part = min(left / members, envelopeWindow)
        guard part >= envelopeWindowMin || commits.pendingBytes == 0 else { return nil }
        return UInt64(max(part, envelopeWindowMin))
    }

    private var granted = Credit(envelopeBytes: 0, blobBytes: 0, names: 0)
    private var envelopesReceived: UInt64 = 0
    private var blobsReceived: UInt64 = 0
    private var namesReceived: UInt64 = 0
    /// Whether credit for announcements is renewed before half of a window is free, as it was used
    /// up for a while.
    package var renewsEarly = false

    package init() {}

    /// The bytes of envelopes that may arrive.
    var envelopesLeft: UInt64 {
        granted.envelopeBytes - min(envelopesReceived, granted.envelopeBytes)
    }

    /// Counts the bytes of an envelope that arrived.
    ///
    /// - Returns: false if they exceed the granted credit.
    package mutating func envelopeReceived(_ bytes: Int) -> Bool {
        envelopesReceived += UInt64(bytes)
        return envelopesReceived <= granted.envelopeBytes
    }

    /// Counts the bytes of a blob chunk likewise.
    package mutating func blobReceived(_ bytes: Int) -> Bool {
        blobsReceived += UInt64(bytes)
        return blobsReceived <= granted.blobBytes
    }

    /// Counts announced envelopes likewise.
    package mutating func namesReceived(_ count: Int) -> Bool {
        namesReceived += UInt64(count)
        return namesReceived <= granted.names
    }

    /// Whether the peer has used up its credit for announcements.
    package var areNamesUsedUp: Bool { namesReceived >= granted.names }

    /// The credit to send so that `window` bytes of envelopes may be in flight and `names`
    /// announced envelopes missing here; nil while half of each is unused.
    ///
    /// `missing` counts the missing envelopes, and is called only if announcements may need credit.
    package mutating func renew(
        envelopeWindow window: UInt64,
        names: Int,
        missing: () -> Int
    ) -> Credit? {
        let open = envelopesLeft
        let openBlobs = granted.blobBytes - min(blobsReceived, granted.blobBytes)
        var total = namesReceived + UInt64(names)
        let enough = granted.names + UInt64(renewsEarly ? 1 : names / 2)
        if total >= enough { total -= UInt64(min(names, missing())) }
        let isShortOfNames = total >= enough
        guard open < window / 2 || openBlobs < Self.blobWindow / 2 || isShortOfNames else {
            return nil
        }
        granted.envelopeBytes = max(granted.envelopeBytes, envelopesReceived + window)
        granted.blobBytes = max(granted.blobBytes, blobsReceived + Self.blobWindow)
        if isShortOfNames { granted.names = total }
        renewsEarly = false
        return granted
    }
}
