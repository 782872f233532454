/// The chunks that a peer wants, on their way from the disk to the link.
package struct BlobQueue: Sendable {
    /// A chunk that a peer asked for.
    package struct Wanted: Sendable {
        /// The number that this node gave the conversation on the link.
        package let conversation: UInt32
        package let blob: BlobID
        package let index: Int
    }

    /// The number of chunks that may wait for one peer.
    private static let wantedMax = 1_024
    /// The number of chunks read ahead for one peer.
    private static let readAhead = 2
    /// The number of blobs in `served`.
    private static let servedMax = 16

    package let link: LinkID
    /// Chunks to read, in the order of the requests.
    private var wanted: [Wanted] = []
    /// How many chunks are being read from disk.
    private var reading = 0
    /// Chunks that were read and wait for credit and capacity.
    private var ready: [BlobChunk] = []
    /// The blobs that were sent last, at least in part.
    package private(set) var served: [BlobID] = []

    package init(link: LinkID) {
        self.link = link
    }

    /// Whether everything that the peer asked for has been sent.
    package var isIdle: Bool { wanted.isEmpty && reading == 0 && ready.isEmpty }

    /// The peer asks for chunks.
    ///
    /// - Returns: false if too many would wait.
    package mutating func append(
        _ chunks: [UInt64],
        of blob: BlobID,
        in conversation: UInt32
    ) -> Bool {
        guard wanted.count + chunks.count <= Self.wantedMax else { return false }
        for chunk in chunks {
            wanted.append(Wanted(conversation: conversation, blob: blob, index: Int(chunk)))
        }
        return true
    }

    /// The chunk to read next, nil while enough is read ahead.
    package var nextToRead: Wanted? {
        reading + ready.count < Self.readAhead ? wanted.first : nil
    }

    /// The first wanted chunk is being read.
    package mutating func readBegan() {
        wanted.removeFirst()
        reading += 1
    }

    package mutating func readEnded(_ chunk: BlobChunk) {
        reading -= 1
        ready.append(chunk)
    }

    /// The next chunk to send, if it has at most `credit` bytes.
    package mutating func next(credit: UInt64) -> BlobChunk? {
        guard let chunk = ready.first, UInt64(chunk.bytes.count) <= credit else { return nil }
        ready.removeFirst()
        serves(chunk.blob)
        return chunk
    }

    private mutating func serves(_ blob: BlobID) {
        guard !served.contains(blob) else { return }
        if served.count == Self.servedMax { served.removeFirst() }
        served.append(blob)
    }
}
