/// A checked envelope on its way into its session.
struct Arrival: Sendable {
    let envelope: Envelope
    let head: Head
    /// Links that it crossed to get here.
    let hops: UInt8
    /// The link that it came on; nil if it was written here.
    let source: LinkID?
}

/// What merging an envelope did to a conversation.
struct MergeReport: Sendable, Equatable {
    enum Result: Sendable, Equatable {
        /// The session's heads are others now.
        case changed
        /// The envelope was a head already.
        case known
        /// Other heads dominate it, or it is below the cap.
        case obsolete
        /// No new session may be stored now.
        case held
    }

    var result: Result
    /// The session took the row that was offered for it.
    var tookRow = false
    /// Two envelopes exist under this dot.
    var equivocation: Dot?
    /// Another process writes under this device's origin: the data directory was copied.
    var meetsCopy = false
    /// The author, if the messages that this one replaces name others as the next to write.
    var outOfTurn: ParticipantID?
    /// The origin, if this is the first envelope of it.
    var firstOf: OriginRecord?
    /// Blobs of the heads that were replaced, and of the new one.
    var unlisted: [BlobReference] = []
    var listed: [BlobReference] = []
    /// The lowest head, if there were too many.
    var dropped: DroppedHead?
    /// Whether the session shows this message now, to people who may read it.
    var isShown = false
    /// The heads, if there are or were several.
    var conflict: [Dot]?
    /// The session, if its row is to be written at the end of this step and was not before.
    var changedSession: Int32?

    init(_ result: Result) {
        self.result = result
    }
}

/// A head that went because there were too many.
struct DroppedHead: Sendable, Equatable {
    let dot: Dot
    /// Empty if it was never taken in.
    let blobs: [BlobReference]
}
