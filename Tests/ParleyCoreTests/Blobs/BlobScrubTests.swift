import ParleyCore
import ParleyFaults
import Testing

/// Complete blobs are read back one after the other, at the rates of the limits.
@Suite struct BlobScrubTests {
    private var limits: Limits {
        var limits = Limits()
        limits.firstScrubBytesPerSecond = 1_000_000
        limits.scrubBytesPerSecond = 100_000
        limits.scrubPause = .seconds(60)
        return limits
    }

    @Test func passesReadEveryBlobInOrder() {
        var exchange = BlobExchange()
        let samples = (1...3).map { SampleBlob($0) }
        for sample in samples { exchange.keep(sample) }
        exchange.startScrub(at: .start)
        let order = samples.map(\.id).sorted()
        // A blob has 65,636 bytes: 65.636 ms at the first rate, and ten times as long later.
        #expect(
            exchange.scrubbed(until: .start + .seconds(62), limits)
                == [
                    Scrubbed(order[0], microseconds: 0), Scrubbed(order[1], microseconds: 65_636),
                    Scrubbed(order[2], microseconds: 131_272),
                    Scrubbed(order[0], microseconds: 60_131_272),
                    Scrubbed(order[1], microseconds: 60_787_632),
                    Scrubbed(order[2], microseconds: 61_443_992),
                ]
        )
    }

    @Test func nothingIsDueWithoutBlobs() {
        var exchange = BlobExchange()
        exchange.startScrub(at: .start)
        #expect(exchange.scrubDeadline == nil)
        #expect(exchange.nextToScrub(at: .start, limits: limits) == nil)
    }

    /// A blob that is on its way to the disk is not read: its chunks would be missing.
    @Test func newBlobsAreLeftToTheNextPass() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.startScrub(at: .start)
        _ = exchange.store(sample.bytes, as: sample.reference, with: Ticket(1))
        #expect(exchange.nextToScrub(at: .start, limits: limits) == nil)
        #expect(exchange.scrubDeadline == .start + .seconds(60))
        _ = exchange.committed(Ticket(1))
        let next = Moment.start + .seconds(60)
        #expect(exchange.nextToScrub(at: next, limits: limits) == sample.id)
    }

    @Test func theBlobWhoseTurnItIsIsReadBack() {
        var exchange = BlobExchange()
        exchange.keep(SampleBlob(1))
        exchange.startScrub(at: .start + .seconds(1))
        for (seconds, reads) in [(0, 0), (1, 1), (2, 0)] {
            var step = Step(at: .start + .seconds(Int64(seconds)))
            exchange.scrubNext(limits: limits, into: &step)
            let expected = [StoreRead](repeating: .blob(SampleBlob(1).id), count: reads)
            #expect(step.effects.reads == expected)
        }
    }

    @Test func readsForOtherReasonsDoNotPutOffTheNext() {
        var exchange = BlobExchange()
        let samples = (1...2).map { SampleBlob($0) }
        for sample in samples { exchange.keep(sample) }
        let order = samples.map(\.id).sorted()
        exchange.startScrub(at: .start)
        #expect(exchange.nextToScrub(at: .start, limits: limits) == order[0])
        for (blob, time) in [(order[1], 1), (order[0], 2), (order[0], 60)] {
            let now = Moment.start + .milliseconds(Int64(time))
            exchange.scrubbed(blob, .notFound, at: now, limits: limits)
        }
        let next = Moment.start + .milliseconds(2) + Interval(nanoseconds: 65_536_000)
        #expect(exchange.scrubDeadline == next)
    }

    @Test func droppedBlobsAreSkipped() {
        var exchange = BlobExchange()
        let samples = (1...2).map { SampleBlob($0) }
        for sample in samples { exchange.keep(sample) }
        let order = samples.map(\.id).sorted()
        exchange.startScrub(at: .start)
        #expect(exchange.nextToScrub(at: .start, limits: limits) == order[0])
        #expect(exchange.scrubDeadline == nil, "one blob at a time is read")
        #expect(exchange.unlist(order[1]) == true)
        exchange.scrubbed(order[0], .notFound, at: .start, limits: limits)
        // A short or missing blob counts as one chunk.
        let next = Moment.start + Interval(nanoseconds: 65_536_000)
        #expect(exchange.scrubDeadline == next)
        #expect(exchange.nextToScrub(at: next, limits: limits) == nil)
        #expect(exchange.scrubDeadline == next + .seconds(60))
    }
}

/// A blob that was read back, and when.
private struct Scrubbed: Equatable {
    let blob: BlobID
    let microseconds: Int64

    init(_ blob: BlobID, microseconds: Int64) {
        self.blob = blob
        self.microseconds = microseconds
    }
}

extension BlobExchange {
    /// Reads whatever is due; the disk answers at once, with whole blobs.
    fileprivate mutating func scrubbed(until end: Moment, _ limits: Limits) -> [Scrubbed] {
        var scrubbed: [Scrubbed] = []
        while let due = scrubDeadline, due <= end {
            guard let blob = nextToScrub(at: due, limits: limits) else { break }
            let microseconds = (due - .start).nanoseconds / 1_000
            scrubbed.append(Scrubbed(blob, microseconds: microseconds))
            self.scrubbed(blob, .whole(SampleBlob(1).bytes), at: due, limits: limits)
            #expect(load(blob, SampleBlob(1).bytes) != .finished(conversation: 7))
        }
        return scrubbed
    }
}
