/// The means to send in one step: the outbox of one link, and the state of the node.
package struct Sender: Sendable {
    package let now: Moment
    /// The latest commit on disk; an envelope of this node waits for its commit.
    package let committed: Ticket
    /// Blobs that are complete and not on disk yet.
    package let unstoredBlobs: [BlobID]
    /// The outbox of the served link; moved in and out, so that it has a single owner.
    package var outbox = Outbox(capacity: 0)
    /// The number of envelopes of the conversation that may be announced now.
    package var namesLeft = 0
    /// Parts of feeds that several links may send, encoded once; moved in and out likewise.
    package var segments = SegmentCache()
    /// Rows whose envelopes are to be read back before their sessions can be sent.
    private var awaitedRows: [Int64] = []

    package init(now: Moment, committed: Ticket, unstoredBlobs: [BlobID]) {
        self.now = now
        self.committed = committed
        self.unstoredBlobs = unstoredBlobs
    }

    /// Counts an envelope that is announced.
    package mutating func announces() {
        namesLeft -= 1
        outbox.credit.announces(1)
    }

    /// Asks for a row to be read back.
    package mutating func awaits(row: Int64) { awaitedRows.append(row) }

    /// Takes the rows that were added since the last call, in order.
    package mutating func takeAwaitedRows() -> [Int64] {
        defer { awaitedRows = [] }
        return awaitedRows
    }
}
