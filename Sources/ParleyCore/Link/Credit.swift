/// The credit that the peer gives this side.
package struct SendCredit: Sendable {
    package var envelopeLimit: UInt64 = 0
    package var blobLimit: UInt64 = 0
    package var envelopesSent: UInt64 = 0
    package var blobsSent: UInt64 = 0

    /// The bytes that frames may need together if they wait until there is credit for all of them.
    ///
    /// A peer renews the credit when less than this is left, and no envelope needs more.
    static let renewedMin = CreditGrant.envelopeWindowMin / 2

    package init() {}

    package func allowsEnvelope(_ bytes: Int) -> Bool {
        envelopesSent + UInt64(bytes) <= envelopeLimit
    }

    /// The bytes of blobs that may be sent now.
    package var blobsLeft: UInt64 { blobLimit - blobsSent }

    /// The peer names its totals, which never decrease.
    package mutating func granted(_ credit: Credit) throws(Refusal) {
        guard credit.envelopeBytes >= envelopeLimit, credit.blobBytes >= blobLimit else {
            throw .contradictory("credit that decreases")
        }
        envelopeLimit = credit.envelopeBytes
        blobLimit = credit.blobBytes
    }
}

/// The credit that this side gives the peer.
package struct CreditGrant: Sendable {
    /// Blob bytes that may be in flight to us on one link.
    package static let blobWindow: UInt64 = 512 << 10
    /// Envelope bytes that may be in flight to us on one link.
    static let envelopeWindow = 1 << 20
    /// The smallest window, such that the longest envelope fits into half of it.
    static let envelopeWindowMin = 2 * (Limits.envelopeBytes + EnvelopeFrame.prefixBytes)

    private var granted = Credit(envelopeBytes: 0, blobBytes: 0)
    private var envelopesReceived: UInt64 = 0
    private var blobsReceived: UInt64 = 0

    package init() {}

    /// Counts the bytes of an envelope that arrived.
    ///
    /// - Returns: false if they exceed the granted credit.
    package mutating func envelopeReceived(_ bytes: Int) -> Bool {
        envelopesReceived += UInt64(bytes)
        return envelopesReceived <= granted.envelopeBytes
    }

    /// Does for chunks of blobs what `envelopeReceived` does for envelopes.
    package mutating func blobReceived(_ bytes: Int) -> Bool {
        blobsReceived += UInt64(bytes)
        return blobsReceived <= granted.blobBytes
    }

    /// The credit to send so that `window` bytes of envelopes may be in flight, or nil while more
    /// than half of it is unused.
    package mutating func renew(envelopeWindow window: UInt64) -> Credit? {
        let open = granted.envelopeBytes - min(envelopesReceived, granted.envelopeBytes)
        let openBlobs = granted.blobBytes - min(blobsReceived, granted.blobBytes)
        guard open < window / 2 || openBlobs < Self.blobWindow / 2 else { return nil }
        granted.envelopeBytes = max(granted.envelopeBytes, envelopesReceived + window)
        granted.blobBytes = max(granted.blobBytes, blobsReceived + Self.blobWindow)
        return granted
    }
}
