/// What replications of one link send into in one step: the outbox of the link, and what the node
/// knows at this moment.
package struct Sender: Sendable {
    package let now: Moment
    /// What this node wrote is sent once its commit is done.
    package let committed: Ticket
    /// Blobs that are complete and not on disk yet.
    package let unstoredBlobs: [BlobID]
    /// Of the link that is being served; moved in and out, so that it has one owner.
    package var outbox = Outbox(capacity: 0)
    /// Parts of feeds that several links may send, encoded once in this step.
    package var segments: [EncodedSegment.Key: EncodedSegment] = [:]
    /// Rows whose envelopes are to be read back before their sessions can be sent.
    private var awaitedRows: [Int64] = []

    package init(now: Moment, committed: Ticket, unstoredBlobs: [BlobID]) {
        self.now = now
        self.committed = committed
        self.unstoredBlobs = unstoredBlobs
    }

    /// A row has to be read back.
    package mutating func awaits(row: Int64) { awaitedRows.append(row) }

    /// The rows that were added since this was asked last, in order.
    package mutating func takeAwaitedRows() -> [Int64] {
        defer { awaitedRows = [] }
        return awaitedRows
    }
}
