/// What the peer lets this side send.
package struct SendCredit: Sendable {
    package var envelopeLimit: UInt64 = 0
    package var blobLimit: UInt64 = 0
    package var envelopesSent: UInt64 = 0
    package var blobsSent: UInt64 = 0

    package init() {}

    package func allowsEnvelope(_ bytes: Int) -> Bool {
        envelopesSent + UInt64(bytes) <= envelopeLimit
    }

    /// How many bytes of blobs may be sent now.
    package var blobsLeft: UInt64 { blobLimit - blobsSent }

    package mutating func granted(_ credit: Credit) {
        envelopeLimit = max(envelopeLimit, credit.envelopeBytes)
        blobLimit = max(blobLimit, credit.blobBytes)
    }
}

/// What this side lets the peer send.
package struct CreditGrant: Sendable {
    /// Blob bytes that may be on their way to us on one link.
    package static let blobWindow: UInt64 = 512 << 10
    /// Envelope bytes that may be on their way to us on one link.
    static let envelopeWindow = 1 << 20
    /// The least that is let in, so that the longest envelope fits into half of it.
    static let envelopeWindowMin = 2 * (Limits.envelopeBytes + EnvelopeFrame.prefixBytes)

    private var granted = Credit(envelopeBytes: 0, blobBytes: 0)
    private var envelopesReceived: UInt64 = 0
    private var blobsReceived: UInt64 = 0

    package init() {}

    /// Counts what came.
    ///
    /// - Returns: false when it was more than was granted.
    package mutating func envelopeReceived(_ bytes: Int) -> Bool {
        envelopesReceived += UInt64(bytes)
        return envelopesReceived <= granted.envelopeBytes
    }

    /// As `envelopeReceived`, for chunks.
    package mutating func blobReceived(_ bytes: Int) -> Bool {
        blobsReceived += UInt64(bytes)
        return blobsReceived <= granted.blobBytes
    }

    /// The credit to send so that `window` bytes of envelopes may be on their way, or nil while
    /// more than half of it is open.
    package mutating func renew(envelopeWindow window: UInt64) -> Credit? {
        let open = granted.envelopeBytes - min(envelopesReceived, granted.envelopeBytes)
        let openBlobs = granted.blobBytes - min(blobsReceived, granted.blobBytes)
        guard open < window / 2 || openBlobs < Self.blobWindow / 2 else { return nil }
        granted.envelopeBytes = max(granted.envelopeBytes, envelopesReceived + window)
        granted.blobBytes = max(granted.blobBytes, blobsReceived + Self.blobWindow)
        return granted
    }
}
