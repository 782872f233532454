import ParleyCore
import Testing

/// Heads may list a blob with different sizes, and in several conversations.
struct BlobListingTests {
    private let sample = SampleBlob(1)

    private func listing(_ size: UInt64, in conversation: UInt32 = 7) -> BlobListing {
        let blob = BlobReference(id: sample.id, size: size)
        return BlobListing(conversation: conversation, blob: blob)
    }

    private var right: BlobListing { listing(sample.reference.size) }

    /// Asks these links, which share all conversations.
    private func ask(
        _ exchange: inout BlobExchange,
        at now: Moment,
        _ links: [UInt64],
        _ listings: [BlobListing]
    ) -> BlobExchange.Asking {
        exchange.ask(
            limit: 8,
            at: now,
            links: { _ in links.map { LinkID($0) } },
            listings: { _ in listings }
        )
    }

    /// Only the last of three links has the blob, and only the last listing is right.
    @Test func allLinksAreAskedForOneListingAfterTheOther() {
        let listings = [listing(5), listing(200_000), right]
        var exchange = BlobExchange()
        exchange.list(listings[0].blob, conversation: 7)
        var asked: [(link: UInt64, size: Int)] = []
        for _ in 0..<9 {
            let asking = ask(&exchange, at: .start, [1, 2, 3], listings)
            guard let ask = asking.asks.first else { break }
            asked.append((ask.link.value, ask.chunks.count))
            let has = ask.link == LinkID(3)
            for index in ask.chunks where !has || index < 2 {
                receive(has ? Int(index) : nil, from: ask.link.value, in: &exchange)
            }
        }
        #expect(asked.map(\.link) == [1, 2, 3, 1, 2, 3, 1, 2, 3])
        #expect(asked.map(\.size) == [1, 1, 1, 4, 4, 4, 2, 2, 2])
        #expect(exchange.committed(Ticket(1)) == [sample.id])
        #expect(exchange.load(sample.id, sample.bytes) == .finished(conversation: 7))
    }

    /// If nobody has it, each listing has its turn once, and then there is a back-off.
    @Test(arguments: [1, 2, 3, 20])
    func whatNobodyHasIsAskedForRarely(listings count: UInt64) {
        let listings = (1...count).map { listing($0 * 70_000) }
        var exchange = BlobExchange()
        exchange.list(listings[0].blob, conversation: 7)
        var asked = 0
        for time in 0..<1_000 {
            let now = Moment.start + .milliseconds(Int64(time) * 10)
            exchange.retryOverdue(at: now)
            let asking = ask(&exchange, at: now, [1, 2], listings)
            for ask in asking.asks {
                asked += 1
                receive(nil, from: ask.link.value, at: now, in: &exchange)
            }
        }
        // In ten seconds there are at most ten back-offs, and eight listings and two links between
        // two.
        #expect(asked >= 10)
        #expect(asked <= Int(min(count, 8)) * 2 * 11)
    }

    /// Another link says nothing at all, for longer than a back-off.
    @Test func aSilentLinkDoesNotKeepAListing() {
        let listings = [listing(5), right]
        var exchange = BlobExchange()
        exchange.list(listings[0].blob, conversation: 7)
        var sizes: [Int] = []
        for second in 0..<20 {
            let now = Moment.start + .seconds(Int64(second))
            exchange.retryOverdue(at: now)
            let asking = ask(&exchange, at: now, [1, 2], listings)
            for ask in asking.asks where ask.link == LinkID(1) {
                sizes.append(ask.chunks.count)
                for index in ask.chunks { receive(Int(index), from: 1, at: now, in: &exchange) }
            }
        }
        #expect(sizes == [1, 2])
    }

    /// All chunks of a wrong listing fit, so that the hash alone shows that it is wrong.
    @Test(arguments: [[UInt64(1)], [1, 2]])
    func aListingWhoseChunksFitIsGivenUp(links: [UInt64]) {
        let listings = [listing(65_536), right]
        var exchange = BlobExchange()
        exchange.list(listings[0].blob, conversation: 7)
        var isComplete = false
        var now = Moment.start
        for time in 0..<40 where !isComplete {
            now = .start + .milliseconds(Int64(time) * 250)
            exchange.retryOverdue(at: now)
            let asking = ask(&exchange, at: now, links, listings)
            for ask in asking.asks {
                for index in ask.chunks {
                    receive(Int(index), from: ask.link.value, at: now, in: &exchange)
                }
                guard !exchange.committed(Ticket(1)).isEmpty else { continue }
                let bytes = ask.chunks == [0] ? sample.chunk(0) : sample.bytes
                isComplete =
                    exchange.load(sample.id, .whole(bytes), at: now)
                    == .finished(conversation: 7)
            }
        }
        #expect(isComplete)
    }

    /// What an earlier process fetched for another size excuses nobody.
    @Test func whoSendsAllOfANewListingIsToBlame() {
        let listings = [listing(200_000), right]
        var exchange = BlobExchange()
        exchange.recover([sample.id: RecoveredBlob(isComplete: false, chunks: [0])])
        exchange.list(listings[0].blob, conversation: 7)
        for indices in [[nil], [0, 1]] as [[Int?]] {
            _ = ask(&exchange, at: .start, [1], listings)
            for index in indices { receive(index, from: 1, in: &exchange) }
        }
        #expect(exchange.committed(Ticket(1)) == [sample.id])
        let wrong = Slice([UInt8](repeating: 0, count: Int(right.blob.size)))
        #expect(exchange.load(sample.id, wrong) == .forged(by: LinkID(1)))
    }

    /// The head whose listing was taken has gone, and another one is left.
    @Test func theListingThatIsLeftIsTaken() {
        var exchange = BlobExchange()
        exchange.list(listing(5).blob, conversation: 7)
        let asks = (0..<2).map { _ in
            let asking = ask(&exchange, at: .start, [1], [right])
            receive(nil, from: 1, in: &exchange)
            return asking.asks.map(\.chunks.count)
        }
        #expect(asks == [[1], [2]])
    }

    /// Nobody of one conversation is here, and somebody of another one that lists the blob is.
    @Test func anotherConversationHelpsOut() {
        let listings = [right, listing(sample.reference.size, in: 8)]
        var exchange = BlobExchange()
        exchange.list(right.blob, conversation: 7)
        exchange.list(right.blob, conversation: 8)
        var online: [UInt32: [LinkID]] = [:]
        func ask() -> [BlobExchange.Ask] {
            exchange.ask(
                limit: 8,
                at: .start,
                links: { online[$0] ?? [] },
                listings: { _ in listings }
            ).asks
        }
        #expect(ask() == [])
        online[8] = [LinkID(2)]
        #expect(ask().map(\.conversation) == [8])
        exchange.linkClosed(LinkID(2))
        online = [7: [LinkID(3)]]
        #expect(ask().map(\.conversation) == [7])
    }

    /// A chunk of the blob, or an empty one, arrives.
    private func receive(
        _ index: Int?,
        from link: UInt64,
        at now: Moment = .start,
        in exchange: inout BlobExchange
    ) {
        let chunk = BlobChunk(
            conversation: 3,
            blob: sample.id,
            index: UInt64(index ?? 0),
            bytes: index.map { sample.chunk($0) } ?? .empty
        )
        _ = exchange.chunkReceived(chunk, from: LinkID(link), at: now, with: Ticket(1))
    }
}
