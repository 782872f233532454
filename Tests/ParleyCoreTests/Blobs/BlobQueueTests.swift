import ParleyCore
import Testing

/// A chunk that one peer wants is read next, sent next, or refused.
struct BlobQueueTests {
    @Test(arguments: scripts)
    func chunksGoFromTheDiskToTheLinkInOrder(_ script: Script) {
        var queue = BlobQueue(link: LinkID(1))
        for (index, step) in script.steps.enumerated() {
            let place = "\(script.name), step \(index)"
            switch step.input {
            case .wants(let chunks, let blob, let isTaken):
                let answer = queue.append(chunks, of: BlobID(number: blob), in: 3)
                #expect(answer == isTaken, "\(place)")
            case .readBegan:
                queue.readBegan()
            case .readEnded(let chunk):
                queue.readEnded(chunk)
            case .next(let credit, let chunk):
                let sent = queue.next(credit: credit)
                #expect(sent == chunk, "\(place)")
            }
            #expect(queue.nextToRead?.index == step.reads, "\(place)")
        }
    }

    static let scripts: [Script] = [
        Script(
            "chunks are read in the order in which they were asked for, two ahead",
            Step(.wants([4, 2], blob: 1), reads: 4),
            Step(.wants([9], blob: 1), reads: 4),
            Step(.readBegan, reads: 2),
            Step(.readBegan, reads: nil),
            Step(.readEnded(chunk(4)), reads: nil),
            Step(.next(credit: 10, chunk(4)), reads: 9),
            Step(.readBegan, reads: nil),
            Step(.readEnded(chunk(2)), reads: nil),
            Step(.readEnded(chunk(9)), reads: nil),
            Step(.next(credit: 10, chunk(2)), reads: nil),
            Step(.next(credit: 10, chunk(9)), reads: nil),
            Step(.next(credit: 10, nil), reads: nil)
        ),
        Script(
            "chunks are sent in the order in which the disk gave them",
            Step(.wants([0, 1], blob: 1), reads: 0),
            Step(.readBegan, reads: 1),
            Step(.readBegan, reads: nil),
            Step(.readEnded(chunk(1)), reads: nil),
            Step(.readEnded(chunk(0)), reads: nil),
            Step(.next(credit: 10, chunk(1)), reads: nil),
            Step(.next(credit: 10, chunk(0)), reads: nil)
        ),
        Script(
            "a chunk waits for credit, and those behind it too",
            Step(.wants([0, 1], blob: 1), reads: 0),
            Step(.readBegan, reads: 1),
            Step(.readBegan, reads: nil),
            Step(.readEnded(chunk(0, bytes: 10)), reads: nil),
            Step(.readEnded(chunk(1, bytes: 1)), reads: nil),
            Step(.next(credit: 9, nil), reads: nil),
            Step(.next(credit: 10, chunk(0, bytes: 10)), reads: nil),
            Step(.next(credit: 0, nil), reads: nil),
            Step(.next(credit: 1, chunk(1, bytes: 1)), reads: nil)
        ),
        Script(
            "a chunk that the disk does not hold needs no credit",
            Step(.wants([0], blob: 1), reads: 0),
            Step(.readBegan, reads: nil),
            Step(.readEnded(chunk(0, bytes: 0)), reads: nil),
            Step(.next(credit: 0, chunk(0, bytes: 0)), reads: nil)
        ),
        Script(
            "1,024 chunks wait at most; more are refused as a whole",
            Step(.wants(Array(0..<1_023), blob: 1), reads: 0),
            Step(.wants([1, 2], blob: 1, isTaken: false), reads: 0),
            Step(.wants([1], blob: 1), reads: 0),
            Step(.wants([1], blob: 1, isTaken: false), reads: 0),
            Step(.wants([], blob: 1), reads: 0),
            // A chunk that is being read waits no longer.
            Step(.readBegan, reads: 1),
            Step(.wants([1], blob: 1), reads: 1),
            Step(.wants([1], blob: 1, isTaken: false), reads: 1)
        ),
    ]

    // MARK: Sent chunks

    /// A peer that doubts a blob means one of those that were sent last.
    @Test(arguments: [
        Sending(blobs: [], served: []),
        Sending(blobs: [2], served: [2]),
        Sending(blobs: [2, 1, 2], served: [2, 1]),
        Sending(blobs: Array(1...16), served: Array(1...16)),
        Sending(blobs: Array(1...17), served: Array(2...17)),
        Sending(blobs: Array(1...16) + [1, 17], served: Array(2...17)),
        Sending(blobs: Array(1...17) + [1], served: Array(3...17) + [1]),
    ])
    func theLatestSixteenBlobsAreRemembered(_ sending: Sending) {
        var queue = BlobQueue(link: LinkID(1))
        for blob in sending.blobs {
            let chunk = Self.chunk(0, of: blob)
            let isTaken = queue.append([0], of: BlobID(number: blob), in: 3)
            #expect(isTaken)
            queue.readBegan()
            queue.readEnded(chunk)
            let sent = queue.next(credit: 10)
            #expect(sent == chunk)
        }
        #expect(queue.served == sending.served.map { BlobID(number: $0) })
    }

    /// Blobs of which a chunk is sent each, and those that are remembered.
    struct Sending: Sendable {
        let blobs: [UInt64]
        let served: [UInt64]
    }

    @Test func aWantedChunkKeepsItsConversationAndBlob() {
        var queue = BlobQueue(link: LinkID(1))
        let isTaken = queue.append([7], of: BlobID(number: 2), in: 5)
        #expect(isTaken)
        #expect(queue.nextToRead?.conversation == 5)
        #expect(queue.nextToRead?.blob == BlobID(number: 2))
        queue.readBegan()
        queue.readEnded(Self.chunk(7, of: 2))
        #expect(queue.served == [], "nothing counts as served before it is sent")
    }

    /// An event of a queue, and the index of the chunk that is to be read after it.
    struct Step: Sendable {
        enum Input: Sendable {
            case wants([UInt64], blob: UInt64, isTaken: Bool = true)
            case readBegan
            case readEnded(BlobChunk)
            /// The chunk is the answer.
            case next(credit: UInt64, BlobChunk?)
        }

        let input: Input
        let reads: Int?

        init(_ input: Input, reads: Int?) {
            self.input = input
            self.reads = reads
        }
    }

    struct Script: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]

        init(_ name: String, _ steps: Step...) {
            self.name = name
            self.steps = steps
        }

        var testDescription: String { name }
    }

    private static func chunk(_ index: UInt64, of blob: UInt64 = 1, bytes: Int = 10) -> BlobChunk {
        BlobChunk(
            conversation: 3,
            blob: BlobID(number: blob),
            index: index,
            bytes: Slice([UInt8](repeating: 7, count: bytes))
        )
    }
}
