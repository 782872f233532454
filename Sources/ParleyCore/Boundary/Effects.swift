/// The effects that the shell carries out after an input, in the order of the properties.
package struct Effects: Sendable {
    /// Start this commit; `committed` answers for all commits up to its ticket.
    package var persist: Persist?
    /// Ask the kernel whether these links have unacknowledged bytes; if so, and if the round trip
    /// is short, send the input `unacknowledged`.
    package var receipts: [LinkID] = []
    /// Hand these bytes to links, in this order.
    package var sends: [LinkSend] = []
    /// Send the input `drained` once the kernel has taken all bytes of these links; at once if it
    /// has.
    package var drains: [LinkID] = []
    /// Count this work against the turns of these links.
    ///
    /// Read nothing from a link with unfinished work, and send `received` without bytes at its
    /// turn.
    package var work: [LinkWork] = []
    /// Pass these on to programs and people.
    package var deliveries: [Delivery] = []
    /// End these connections, after the bytes that were handed over before.
    package var closes: [LinkClose] = []
    /// Read from the store; the answers come one by one, in any order.
    package var reads: [StoreRead] = []
    /// Open these connections.
    package var dials: [Dial] = []
    /// Whether to send the input `clocked`.
    package var asksForClock = false
    /// When to send the `timer` input, nil for never; replaces the moment that was given before.
    package var timer: Moment?

    package init() {}
}

/// Writes that belong together.
package struct Persist: Sendable, Equatable {
    package let ticket: Ticket
    package let writes: [StoreWrite]

    package init(ticket: Ticket, writes: [StoreWrite]) {
        self.ticket = ticket
        self.writes = writes
    }
}

/// Encoded frames for one link.
package struct LinkSend: Sendable, Equatable {
    package let link: LinkID
    package let bytes: [UInt8]

    package init(link: LinkID, bytes: [UInt8]) {
        self.link = link
        self.bytes = bytes
    }
}

/// A connection to end.
package struct LinkClose: Sendable, Equatable {
    package let link: LinkID
    /// The cause, for the log.
    package let cause: CloseCause
}

/// A connection to open.
package struct Dial: Sendable, Equatable {
    package let id: DialID
    package let address: String
}

/// Something to read from the store.
package enum StoreRead: Sendable, Equatable {
    /// The heads of a session row.
    case session(row: Int64)
    case blobChunk(BlobChunkRead)
    /// A whole blob, to check it.
    case blob(BlobID)
}

/// A blob as it was read back.
package enum StoredBlob: Sendable, Equatable {
    /// All chunks in order; each matches the stored checksum.
    case whole(Slice)
    /// The ascending indices of chunks that are missing or do not match their checksums.
    case damaged(chunks: [Int])
    /// The store does not know the blob.
    case notFound
    /// Reading failed, so that nothing is known about the chunks.
    case unreadable

    /// The bytes of a whole blob.
    package var bytes: Slice? {
        if case .whole(let bytes) = self { bytes } else { nil }
    }
}

/// A chunk that a peer wants.
package struct BlobChunkRead: Sendable, Hashable {
    package let link: LinkID
    package let conversation: UInt32
    package let blob: BlobID
    package let index: Int

    package init(link: LinkID, conversation: UInt32, blob: BlobID, index: Int) {
        self.link = link
        self.conversation = conversation
        self.blob = blob
        self.index = index
    }
}

/// Why a link ended.
package enum CloseCause: Sendable, Equatable {
    /// This side said goodbye.
    case said(GoodbyeReason, String)
    /// The peer said goodbye.
    case heard(GoodbyeReason, String)
    /// The connection ended without a goodbye.
    case lost(String)

    /// The reason that one side gave.
    package var reason: GoodbyeReason? {
        switch self {
        case .said(let reason, _), .heard(let reason, _): reason
        case .lost: nil
        }
    }
}
