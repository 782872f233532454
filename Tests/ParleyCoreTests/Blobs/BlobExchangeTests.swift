import ParleyCore
import Testing

/// A blob exchange lists, fetches, checks and repairs blobs.
struct BlobExchangeTests {
    // MARK: Asking

    @Test func listedBlobIsAskedForOnce() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        #expect(!exchange.isMissingAny)
        exchange.list(sample.reference, conversation: 7)
        #expect(exchange.isMissingAny)
        let ask = sample.ask(of: 1, chunks: [0, 1])
        #expect([exchange.ask(at: .start, 1), exchange.ask(at: .start, 1)] == [[ask], []])
        #expect(exchange.deadline == .start + .seconds(5))
    }

    @Test func askedInTheOrderOfListingUpToTheLimit() {
        var exchange = BlobExchange()
        let samples = [3, 1, 2].map { SampleBlob($0) }
        for sample in samples { exchange.list(sample.reference, conversation: 7) }
        let asks = exchange.ask(limit: 2, at: .start) { _ in [LinkID(1)] }
        #expect(asks.map(\.blob) == samples.prefix(2).map(\.id))
        exchange.drop(samples[0].id)
        let more = exchange.ask(limit: 2, at: .start) { _ in [LinkID(1)] }
        #expect(more.map(\.blob) == [samples[2].id])
    }

    @Test func nobodyIsAskedWithoutAHolder() {
        var exchange = BlobExchange()
        exchange.list(SampleBlob(1).reference, conversation: 7)
        var conversations: [UInt32] = []
        let asks = exchange.ask(limit: 8, at: .start) { conversation in
            conversations.append(conversation)
            return []
        }
        #expect(asks == [])
        #expect(conversations == [7])
        #expect(exchange.deadline == nil)
    }

    /// A conversation with many missing blobs does not keep the others waiting.
    @Test func conversationsTakeTurns() {
        var exchange = BlobExchange()
        let samples = (1...5).map { SampleBlob($0) }
        for (sample, conversation) in zip(samples, [7, 7, 7, 8, 9]) {
            exchange.list(sample.reference, conversation: UInt32(conversation))
        }
        var asked: [BlobID] = []
        for _ in samples {
            let asks = exchange.ask(limit: 1, at: .start) { _ in [LinkID(1)] }
            asked += asks.map(\.blob)
            for ask in asks { exchange.drop(ask.blob) }
        }
        #expect(asked == [0, 3, 4, 1, 2].map { samples[$0].id })
    }

    /// All links were asked in vain, and then there is another one.
    @Test func aNewLinkIsAskedAtOnce() {
        var exchange = BlobExchange()
        let samples = (1...3).map { SampleBlob($0) }
        for sample in samples { exchange.list(sample.reference, conversation: 7) }
        #expect(exchange.ask(at: .start, 1).count == 3)
        for sample in samples {
            let empty = BlobChunk(conversation: 3, blob: sample.id, index: 0, bytes: .empty)
            _ = exchange.chunkReceived(empty, from: LinkID(1), at: .start, with: Ticket(1))
        }
        #expect(exchange.ask(at: .start, 1) == [])
        #expect(exchange.deadline == .start + .seconds(1))
        let asks = exchange.ask(at: .start, 1, 2)
        #expect(Set(asks.map(\.blob)) == Set(samples.map(\.id)))
        #expect(asks.allSatisfy { $0.link == LinkID(2) })
        #expect(exchange.deadline == .start + .seconds(5))
    }

    /// A head that comes and goes leaves nothing behind that is asked for twice, and takes the turn
    /// of no other.
    @Test func aBlobThatIsListedAgainIsAskedForOnce() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        let (first, other) = (SampleBlob(3), SampleBlob(2))
        exchange.list(first.reference, conversation: 7)
        for _ in 0..<200 {
            exchange.list(sample.reference, conversation: 7)
            let isDropped = exchange.unlist(sample.id)
            #expect(isDropped)
        }
        exchange.list(other.reference, conversation: 7)
        #expect(exchange.ask(at: .start, 1).map(\.blob) == [first.id, other.id])
        exchange.list(sample.reference, conversation: 7)
        #expect(exchange.ask(at: .start, 1) == [sample.ask(of: 1, chunks: [0, 1])])
        #expect(exchange.ask(at: .start, 1, 2) == [])
    }

    // MARK: Chunks

    @Test(arguments: [
        Arrival(link: 2, answer: .ignored),
        Arrival(isListed: false, answer: .ignored),
        Arrival(bytes: 0, answer: .refused),
        Arrival(bytes: 99, answer: .refused),
        Arrival(bytes: 101, answer: .refused),
        Arrival(index: 0, bytes: 100, answer: .refused),
        Arrival(index: 2, answer: .ignored),
        Arrival(index: .max, answer: .ignored),
        Arrival(answer: .kept),
    ])
    func chunkIsKeptIfItWasAskedForAndFits(_ arrival: Arrival) {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.list(sample.reference, conversation: 7)
        #expect(exchange.ask(at: .start, 1).count == 1)
        let chunk = BlobChunk(
            conversation: 3,
            blob: arrival.isListed ? sample.id : SampleBlob(2).id,
            index: arrival.index,
            bytes: Slice([UInt8](repeating: 9, count: arrival.bytes))
        )
        let answer = exchange.chunkReceived(
            chunk,
            from: LinkID(arrival.link),
            at: .start,
            with: Ticket(1)
        )
        let write = StoreWrite.blobChunk(sample.id, index: 1, chunks: 2, chunk.bytes)
        switch arrival.answer {
        case .ignored: #expect(answer == .ignored)
        case .refused: #expect(answer == .refused)
        case .kept: #expect(answer == .kept(write))
        }
    }

    /// A chunk that arrives at a fetch of 65,636 bytes of which link 1 was asked.
    struct Arrival: Sendable {
        enum Answer { case ignored, refused, kept }

        var link: UInt64 = 1
        var isListed = true
        var index: UInt64 = 1
        var bytes = 100
        let answer: Answer
    }

    @Test func lastChunkFinishesAndStartsTheCheck() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.list(sample.reference, conversation: 7)
        _ = exchange.ask(at: .start, 1)
        #expect(exchange.receive(sample, 1, from: 1) == .kept(sample.write(1)))
        #expect(exchange.receive(sample, 1, from: 1) == .ignored)
        #expect(exchange.receive(sample, 0, from: 1, with: 4) == .finished(sample.write(0)))
        #expect(exchange.receive(sample, 0, from: 1) == .ignored)
        #expect(exchange.deadline == nil)
        #expect(exchange.ask(at: .start, 1) == [])
        #expect(exchange.committed(Ticket(3)) == [])
        #expect(exchange.committed(Ticket(4)) == [sample.id])
        #expect(exchange.committed(Ticket(4)) == [])
    }

    // MARK: Links that do not deliver

    @Test func overdueLinkIsPassedOver() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.list(sample.reference, conversation: 7)
        _ = exchange.ask(at: .start, 1, 2)
        let soon = Moment.start + .milliseconds(4_999)
        exchange.retryOverdue(at: soon)
        #expect(exchange.ask(at: soon, 1, 2) == [])
        // A chunk gives the link five more seconds.
        #expect(exchange.receive(sample, 0, from: 1, at: soon) == .kept(sample.write(0)))
        #expect(exchange.deadline == soon + .seconds(5))
        exchange.retryOverdue(at: soon + .seconds(5))
        let asks = exchange.ask(at: soon + .seconds(5), 1, 2)
        #expect(asks == [sample.ask(of: 2, chunks: [1])])
    }

    @Test func closedLinkIsReplacedAtOnce() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.list(sample.reference, conversation: 7)
        _ = exchange.ask(at: .start, 1, 2)
        exchange.linkClosed(LinkID(1))
        #expect(exchange.receive(sample, 0, from: 1) == .ignored)
        #expect(exchange.ask(at: .start, 2) == [sample.ask(of: 2, chunks: [0, 1])])
    }

    /// The back-offs between two rounds: eight of a second, then longer ones up to 64 seconds.
    @Test func backOffsBecomeLonger() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.list(sample.reference, conversation: 7)
        #expect(
            exchange.backOffs(of: sample, count: 16)
                == [1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 64, 64, 64]
        )
    }

    @Test(arguments: [false, true])
    func whoeverMayHaveABlobMakesBackOffsShortAgain(isChunk: Bool) {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.list(sample.reference, conversation: 7)
        #expect(exchange.backOffs(of: sample, count: 12).last == 16)
        if isChunk {
            _ = exchange.ask(at: .start, 1)
            #expect(exchange.receive(sample, 1, from: 1) == .kept(sample.write(1)))
        } else {
            exchange.memberCame()
        }
        #expect(exchange.backOffs(of: sample, count: 2) == [1, 1])
    }

    /// Blobs that come and go while they back off take nothing from the one that stays, nor does a
    /// link that helps only others.
    @Test(arguments: [(7, 60), (8, 1)] as [(UInt32, Int)])
    func theEndOfABackOffIsNotForgotten(conversation: UInt32, others: Int) {
        var exchange = BlobExchange()
        let (sample, other) = (SampleBlob(1), SampleBlob(2))
        exchange.list(sample.reference, conversation: 7)
        exchange.refuse(sample)
        for _ in 0..<others {
            _ = exchange.unlist(other.id)
            exchange.list(other.reference, conversation: conversation)
            exchange.refuse(other)
        }
        let asks = exchange.ask(limit: 8, at: .start) { $0 == 7 ? [LinkID(1)] : [LinkID(2)] }
        #expect(asks.map(\.blob) == (conversation == 7 ? [] : [other.id]))
        let due = Moment.start + .seconds(1)
        #expect(exchange.deadline == due)
        exchange.retryOverdue(at: due)
        #expect(exchange.ask(at: due, 1).map(\.blob).contains(sample.id))
    }

    // MARK: The check

    @Test func rightBytesFinish() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.fetch(sample, from: [1, 1])
        #expect(exchange.load(sample.id, sample.bytes) == .nothing, "it was read too early")
        #expect(exchange.committed(Ticket(1)) == [sample.id])
        #expect(!exchange.isComplete(sample.id))
        let answer = exchange.load(sample.id, sample.bytes, with: 2)
        #expect(answer == .finished(conversation: 7))
        #expect(exchange.isComplete(sample.id))
        #expect(!exchange.isMissingAny)
        #expect(exchange.isOnItsWayToDisk(sample.id))
        #expect(exchange.committed(Ticket(2)) == [])
        #expect(!exchange.isOnItsWayToDisk(sample.id))
        #expect(exchange.load(sample.id, sample.bytes) == .nothing)
    }

    /// The link that sent all chunks is named; if several did, or the disk has nothing, none is
    /// known to be guilty.
    @Test(arguments: [
        Forgery(sources: [1, 1], forger: 1),
        Forgery(sources: [1, 1], bytes: 5, forger: 1),
        Forgery(sources: [1, 2], forger: nil),
        Forgery(recovered: [0], sources: [1], forger: nil),
        Forgery(sources: [1, 1], bytes: nil, forger: nil),
    ])
    func wrongBytesAreForged(_ forgery: Forgery) {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        let recovered = RecoveredBlob(isComplete: false, chunks: forgery.recovered)
        exchange.recover([sample.id: recovered])
        exchange.fetch(sample, from: forgery.sources)
        #expect(exchange.committed(Ticket(1)) == [sample.id])
        let bytes = forgery.bytes.map { StoredBlob.whole(Slice([UInt8](repeating: 0, count: $0))) }
        #expect(
            exchange.load(sample.id, bytes ?? .notFound)
                == .forged(by: forgery.forger.map { LinkID($0) })
        )
        #expect(!exchange.isComplete(sample.id))
        // All of it comes again, from a link that sent nothing of it.
        let other: UInt64 = forgery.sources.contains(2) ? 3 : 2
        #expect(exchange.ask(at: .start, 1, 2, 3) == [sample.ask(of: other, chunks: [0, 1])])
    }

    /// A peer that forges a blob again, on a link that was just opened, is asked ever less often.
    @Test func forgedAgainAndAgainWaitsLongerEachTime() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.list(sample.reference, conversation: 7)
        var now = Moment.start
        for (time, pause) in [0, 1, 2, 4, 8, 16, 32, 64, 64].enumerated() {
            let link = UInt64(time + 1)
            exchange.retryOverdue(at: now)
            #expect(exchange.ask(at: now, link) == [sample.ask(of: link, chunks: [0, 1])])
            for index in 0...1 {
                _ = exchange.receive(sample, index, from: link, at: now, with: link)
            }
            #expect(exchange.committed(Ticket(link)) == [sample.id])
            let wrong = StoredBlob.whole(SampleBlob(2).bytes)
            #expect(exchange.load(sample.id, wrong, at: now) == .forged(by: LinkID(link)))
            exchange.linkClosed(LinkID(link))
            exchange.memberCame()
            let due = now + .seconds(Int64(pause))
            if pause > 0 {
                #expect(exchange.deadline == due)
                exchange.retryOverdue(at: due + .milliseconds(-1))
                #expect(exchange.ask(at: due, link + 1) == [])
            }
            now = due
        }
    }

    /// A blob whose bytes are wrong: which chunks an earlier process fetched, who sent the others,
    /// and how many bytes were read back, nil if none.
    struct Forgery: Sendable {
        var recovered: Set<Int> = []
        let sources: [UInt64]
        var bytes: Int? = 65_636
        let forger: UInt64?
    }

    /// A chunk that the disk damaged before the check comes again, and its sender is not blamed.
    @Test func chunkDamagedBeforeTheCheckComesAgain() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.fetch(sample, from: [1, 1])
        #expect(exchange.committed(Ticket(1)) == [sample.id])
        #expect(exchange.load(sample.id, .damaged(chunks: [1])) == .lost(chunks: [1]))
        #expect(exchange.ask(at: .start, 1) == [sample.ask(of: 1, chunks: [1])])
    }

    // MARK: Listings

    @Test func lastListingDropsTheBlob() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        #expect(exchange.unlist(sample.id) == false)
        exchange.list(sample.reference, conversation: 7)
        exchange.list(sample.reference, conversation: 8)
        _ = exchange.store(sample.bytes, as: sample.reference, with: Ticket(1))
        #expect(exchange.unlist(sample.id) == false)
        #expect(exchange.isComplete(sample.id))
        #expect(exchange.unlist(sample.id) == true)
        #expect(!exchange.isComplete(sample.id))
    }

    @Test func blobsThatNoHeadListsAreDeleted() {
        var exchange = BlobExchange()
        let samples = (1...3).map { SampleBlob($0) }
        for sample in samples { exchange.keep(sample) }
        exchange.list(samples[1].reference, conversation: 8)
        var step = Step()
        exchange.unlist(samples.map(\.reference), into: &step)
        #expect(step.writes == [.blobDropped(samples[0].id), .blobDropped(samples[2].id)])
    }

    @Test func droppedBlobIsNotChecked() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.fetch(sample, from: [1, 1])
        #expect(exchange.unlist(sample.id) == true)
        #expect(!exchange.isMissingAny)
        #expect(exchange.committed(Ticket(1)) == [])
        #expect(exchange.load(sample.id, sample.bytes) == .nothing)
    }

    @Test func sealedBlobIsWrittenAndComplete() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        let writes = exchange.store(sample.bytes, as: sample.reference, with: Ticket(1))
        #expect(writes == [sample.write(0), sample.write(1), .blobCompleted(sample.id)])
        #expect(exchange.isComplete(sample.id))
        #expect(exchange.isOnItsWayToDisk(sample.id))
        exchange.list(sample.reference, conversation: 7)
        #expect(!exchange.isMissingAny)
    }
}

extension BlobExchange {
    /// Lists a blob and receives its last chunks from links, one of each.
    fileprivate mutating func fetch(_ sample: SampleBlob, from links: [UInt64]) {
        list(sample.reference, conversation: 7)
        for (index, link) in zip((2 - links.count)..., links) {
            // The link before, if there was one, leaves the fetch to this one.
            for other in links where other != link { linkClosed(LinkID(other)) }
            _ = ask(at: .start, link)
            let write = sample.write(index)
            let answer = receive(sample, index, from: link)
            #expect(answer == (index == 1 ? .finished(write) : .kept(write)))
        }
    }

    /// The only link there is does not have the blob.
    fileprivate mutating func refuse(_ sample: SampleBlob, at now: Moment = .start) {
        _ = ask(at: now, 1)
        let empty = BlobChunk(conversation: 3, blob: sample.id, index: 0, bytes: .empty)
        #expect(chunkReceived(empty, from: LinkID(1), at: now, with: Ticket(1)) == .refused)
        #expect(ask(at: now, 1) == [])
    }

    /// Refuses a fetch again and again; the back-offs between, in seconds.
    fileprivate mutating func backOffs(of sample: SampleBlob, count: Int) -> [Int64] {
        var now = Moment.start
        return (0..<count).map { _ in
            refuse(sample, at: now)
            let end = deadline ?? now
            defer { now = end }
            retryOverdue(at: end)
            return (end - now).milliseconds / 1_000
        }
    }
}
