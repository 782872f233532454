import ParleyCore
import ParleyFaults
import Testing

/// A node that gets envelopes in batch frames ends as one that gets each in a frame of its own.
@Suite struct BatchArrivalTests {
    private static let table = SimulatedConversation(1)
    private static let writers = (0..<UInt64(3)).map { number in
        var writer = SimulatedAuthor(writer: 5 + number / 2)
        writer.epoch = Epoch(1 + number)
        return writer
    }
    private let sender = LinkID(2)

    /// A relay merges runs of envelopes at once.
    ///
    /// With little memory, frames and envelopes leave memory at different times.
    enum Node: CaseIterable {
        case reader, relay, tightReader, tightRelay

        var role: Capability.Role { self == .relay || self == .tightRelay ? .relay : .writer }
        var isTight: Bool { self == .tightReader || self == .tightRelay }
    }

    /// A node with an observer on the link 1, and a peer on the link 2 that introduced the writers.
    private func puppet(_ node: Node = .reader, limits: Limits = Limits()) -> Puppet {
        var puppet = Puppet(role: node.role, table: Self.table, limits: limits)
        puppet.meetAndSync()
        puppet.meet(SimulatedCryptography(seed: 9), on: sender)
        puppet.begin(on: sender)
        for writer in Self.writers { puppet.send(writer.originFrame, on: sender) }
        return puppet
    }

    /// Batches in which each message replaces what the writer knows, or whatever it likes.
    private struct Messages {
        var random: SeededRandom
        var sequences: [UInt64] = [0, 0, 0]
        var latest: [String: (revision: UInt64, dot: Dot)] = [:]

        mutating func batch() throws -> [Envelope] {
            let number = Int.random(in: 0..<3, using: &random)
            let envelopes = try (0..<random.length(2...20)).map { _ in try message(by: number) }
            return try writers[number].batch(envelopes)
        }

        private mutating func message(by number: Int) throws -> Envelope {
            let writer = writers[number]
            sequences[number] += random.chance(1, in: 5) ? 3 : 1
            let session = "s\(random.next() % 9)"
            let last = random.chance(1, in: 5) ? nil : latest[session]
            let kind = random.next() % 24
            let revision = (last?.revision ?? 0) + (kind == 5 ? 4 : 1)
            let dot = writer.dot(sequences[number])
            defer { latest[session] = (revision, dot) }
            let context = last.map { $0.dot.origin == writer.origin ? [] : [$0.dot] } ?? []
            return try writer.writes(
                session,
                sequences[number],
                revision: revision,
                context: context,
                next: kind == 1 ? [writers[0].participant] : [],
                blobs: kind == 2 ? [BlobReference(revision % 3)] : [],
                isTombstone: kind == 3,
                text: String(repeating: "x", count: kind == 4 ? 9_000 : Int(random.next() % 90)),
                place: sequences[number],
                on: kind == 6 ? last?.dot : nil
            )
        }
    }

    /// The frames of envelopes, together and each by itself.
    private func frames(
        _ envelopes: [Envelope],
        from position: inout UInt64,
        _ random: inout SeededRandom
    ) -> (together: [UInt8], alone: [UInt8]) {
        var writer = BatchFrameWriter(conversation: 0, capacity: 0)
        var alone: [UInt8] = []
        for envelope in envelopes {
            position += random.next() % 3
            let isAwaited: UInt64 = random.chance(1, in: 6) && position > 0 ? 1 << 63 : 0
            let number = random.chance(1, in: 8) ? 0 : position | isAwaited
            let hops: UInt8 = random.chance(1, in: 20) ? 255 : UInt8(random.next() % 4)
            let start = envelope.proofStart
            writer.append(.whole(envelope.bytes), proofStart: start, hops: hops, position: number)
            var single = BatchFrameWriter(conversation: 0, capacity: 0)
            single.append(.whole(envelope.bytes), proofStart: start, hops: hops, position: number)
            alone += [UInt8](expanding: single.finish())
        }
        return (writer.finish(), alone)
    }

    @Test(arguments: 0..<UInt64(20), Node.allCases)
    func framesMakeNoDifference(seed: UInt64, node: Node) throws {
        var random = SeededRandom(seed: seed)
        var limits = Limits()
        limits.cacheBytes = node.isTight ? 3_000 : 1 << 20
        var together = puppet(node, limits: limits)
        var alone = puppet(node, limits: limits)
        var messages = Messages(random: SeededRandom(seed: seed + 1_000))
        var sent: [Envelope] = []
        var position: UInt64 = 0
        for round in 0..<12 {
            var envelopes = try messages.batch()
            for _ in 0..<3 where !sent.isEmpty && random.chance(1, in: 2) {
                let again = sent[Int.random(in: 0..<sent.count, using: &random)]
                let index = Int.random(in: 0...envelopes.count, using: &random)
                envelopes.insert(again, at: index)
            }
            sent += envelopes
            if random.chance(1, in: 4) { envelopes.shuffle(using: &random) }
            let frames = frames(envelopes, from: &position, &random)
            let commits = random.chance(2, in: 3)
            together.commits = commits
            alone.commits = commits
            if commits {
                together.commitAll()
                alone.commitAll()
            }
            together.handle(.received(sender, Slice(frames.together)))
            alone.handle(.received(sender, Slice(frames.alone)))
            if random.chance(1, in: 3) {
                together.pass(.milliseconds(700))
                alone.pass(.milliseconds(700))
            }
            #expect(Self.state(of: together) == Self.state(of: alone), "round \(round)")
        }
        #expect("\(together.deliveries)" == "\(alone.deliveries)")
        #expect(together.refusals.isEmpty)
        together.commitAll()
        alone.commitAll()
        #expect(together.disk.rows == alone.disk.rows)
        guard !node.isTight else { return }
        #expect(Self.heads(of: together) == Self.heads(of: alone))
        #expect(together.writes == alone.writes)
        #expect(together.frames.withoutCredit == alone.frames.withoutCredit)
        #expect(!together.frames.withoutCredit.isEmpty)
    }

    /// A frame is taken up to the first envelope that is malformed or not proved.
    @Test(arguments: 0..<UInt64(40))
    func damagedFramesMakeNoDifference(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var messages = Messages(random: SeededRandom(seed: seed + 2_000))
        let before = try messages.batch().inBatchFrames()
        let frame = try messages.batch().inBatchFrames(from: 100)
        for number in 0..<20 {
            var damaged = frame
            let index = Int.random(in: FrameHeader.count..<frame.count, using: &random)
            damaged[index] ^= 1 << UInt8(random.next() % 8)
            let node = number.isMultiple(of: 2) ? Node.reader : .relay
            var together = puppet(node)
            var alone = puppet(node)
            for frame in [before, damaged] {
                together.handle(.received(sender, Slice(frame)))
                alone.handle(.received(sender, Slice([UInt8](expanding: frame))))
            }
            #expect(Self.heads(of: together) == Self.heads(of: alone), "\(index)")
            #expect(Self.state(of: together) == Self.state(of: alone), "\(index)")
        }
    }

    private static func heads(of puppet: Puppet) -> [Slice?] {
        puppet.machine.conversations.flatMap { $0.sessions }.flatMap { $0.heads }.map(\.envelope)
    }

    /// All values that an envelope changes, and the sums.
    private static func state(of puppet: Puppet) -> [String] {
        guard let conversation = puppet.machine.conversations.first else { return [] }
        let sums = "\(conversation.feed.latest) \(conversation.sessions.auditSums)"
        return [sums] + conversation.sessions.flatMap { $0.heads }.map { state(of: $0) }
    }

    private static func state(of head: HeadRecord) -> String {
        let place: [Any] = [head.dot, head.position, head.knownTo, head.size]
        let values: [Any] = [head.next, head.blobs, head.hops, head.isFetched, head.isTombstone]
        return "\(place) \(values)"
    }

    // MARK: Runs

    /// Messages of one author that replace those of the round before in eight sessions, but for
    /// one that begins another session.
    private func round(
        _ number: UInt64,
        elsewhere other: Int? = nil,
        text: String = ""
    ) throws -> [Envelope] {
        let writer = Self.writers[0]
        return try writer.batch(
            try (0..<8).map {
                let sequence = 8 * number + UInt64($0) + 1
                return try writer.writes(
                    $0 == other ? "another" : "s\($0)",
                    sequence,
                    revision: number + 1,
                    text: text,
                    place: sequence
                )
            }
        )
    }

    /// An envelope behind a run is proved by upper hashes of the run's last entry.
    @Test(arguments: 1...7) func aProofGoesOnBehindARun(unusual: Int) throws {
        var puppet = puppet(.relay)
        puppet.handle(.received(sender, Slice(try round(0).inBatchFrames())))
        let frame = try round(1, elsewhere: unusual).inBatchFrames(from: 9)
        puppet.handle(.received(sender, Slice(frame)))
        #expect(puppet.refusals == [])
        let heads = puppet.machine.conversations.flatMap(\.sessions).flatMap(\.heads)
        #expect(heads.count { $0.dot.sequence > 8 } == 8)
        #expect(heads.count == 9)
    }

    /// A relay refuses a position within a run as it does elsewhere, and keeps what came before.
    @Test(arguments: [(UInt64(50), 3), (101, 8)])
    func aRunEndsBeforeAPositionThatDescends(position: UInt64, merged: Int) throws {
        var puppet = puppet(.relay)
        puppet.handle(.received(sender, Slice(try round(0).inBatchFrames())))
        var writer = BatchFrameWriter(conversation: 0, capacity: 0)
        for (index, envelope) in try round(1).enumerated() {
            writer.append(
                .whole(envelope.bytes),
                proofStart: envelope.proofStart,
                hops: 0,
                position: index == 3 ? position : UInt64(99 + min(index, 2))
            )
        }
        puppet.handle(.received(sender, Slice(writer.finish())))
        let isRefused = puppet.refusals == [.contradictory("a feed position that descends")]
        #expect(isRefused == (merged == 3))
        let heads = puppet.machine.conversations.flatMap(\.sessions).flatMap(\.heads)
        #expect(heads.count { $0.dot.sequence > 8 } == merged)
    }

    /// What comes before the credit is used up is merged, in the middle of a frame too.
    @Test func aRunEndsAtTheCredit() throws {
        var puppet = puppet(.relay)
        puppet.commits = false
        let text = String(repeating: "x", count: 4_000)
        for number in UInt64(0)..<2_000 where puppet.refusals.isEmpty {
            let frames = try round(number, text: text).inBatchFrames(from: 8 * number + 1)
            puppet.handle(.received(sender, Slice(frames)))
        }
        #expect(puppet.refusals == [.overLimit("envelopes beyond the credit")])
        let merged = try #require(puppet.machine.conversations.first).feed.latest
        #expect(!merged.isMultiple(of: 8), "\(merged) messages")
    }

    // MARK: Memory

    /// A frame of 64 messages of which the last 63 are obsolete, at once or after a while.
    @Test(arguments: [true, false])
    func theLastEnvelopeOfAFrameIsCopiedOutWhenMemoryIsShort(isSparseAtOnce: Bool) throws {
        let writer = Self.writers[0]
        let batch = try writer.batch((1...64).map { try writer.writes("s\($0)", $0) })
        let later = try (2...UInt64(64)).map {
            try writer.writes("s\($0)", 100 + $0, revision: 2)
        }
        for cacheBytes in [1 << 20, 0] {
            var limits = Limits()
            limits.cacheBytes = cacheBytes
            var puppet = puppet(limits: limits)
            // What is not on disk yet stays in memory.
            puppet.commits = false
            let inOrder = isSparseAtOnce ? [later, batch] : [batch, later]
            for (number, envelopes) in inOrder.enumerated() {
                let frames = envelopes.inBatchFrames(from: UInt64(1 + 100 * number))
                puppet.handle(.received(sender, Slice(frames)))
            }
            #expect(puppet.refusals.isEmpty)
            let sessions = try #require(puppet.machine.conversations.first?.sessions)
            #expect(sessions.count == 64)
            let tag = writer.tag("s1")
            let place = try #require(sessions.first { $0.tag == tag }?.heads.first?.place)
            #expect(place.bytes == batch[0].bytes)
            let isCopied = if case .whole = place { true } else { false }
            #expect(isCopied == (cacheBytes == 0))
        }
    }

    /// Regression: rows to write hold whole frames, but only the changed envelopes were counted, so
    /// that a peer's credit grew while a slow disk kept its frames in memory.
    @Test func aFrameThatARowToWriteHoldsCountsAsAWhole() throws {
        let writer = Self.writers[0]
        let batch = try writer.batch((1...64).map { try writer.writes("s\($0)", $0) })
        let later = try (2...UInt64(64)).map {
            try writer.writes("s\($0)", 100 + $0, revision: 2)
        }
        var puppet = puppet()
        puppet.handle(.received(sender, Slice(later.inBatchFrames())))
        puppet.commits = false
        let frame = batch.inBatchFrames(from: 100)
        #expect(puppet.machine.load.commitBytes == 0)
        puppet.handle(.received(sender, Slice(frame)))
        #expect(puppet.machine.load.commitBytes >= frame.count - FrameHeader.count)
        puppet.commitAll()
        puppet.handle(.received(sender, Slice(batch.inBatchFrames(from: 200))))
        #expect(puppet.machine.load.commitBytes == 0, "nothing of it is kept")
    }

    // MARK: Work

    /// Regression: a frame of envelopes that each need a signature to be checked was one turn.
    @Test func aFrameOfManyOriginsTakesSeveralTurns() throws {
        let device = SimulatedAuthor(writer: 8)
        let origins = (0..<UInt64(40)).map { number in
            var origin = device
            origin.epoch = Epoch(50 + number)
            return origin
        }
        var puppet = puppet()
        for origin in origins { puppet.send(origin.originFrame, on: sender) }
        let batch = try device.batch(origins.enumerated().map { try $1.writes("s\($0)") })
        let before = puppet.turns
        puppet.handle(.received(sender, Slice(batch.inBatchFrames())))
        #expect(puppet.turns - before == 2, "16 signatures in each turn")
        #expect(puppet.machine.conversations.first?.sessions.count == 40)
        #expect(puppet.refusals.isEmpty)
    }
}

extension [Frame] {
    /// All frames but those of credit, which depends on the memory that is free.
    fileprivate var withoutCredit: [Frame] { filter { $0.type != .credit } }
}

extension [UInt8] {
    /// Batch frames as the `envelope` frames that they replace.
    fileprivate init(expanding bytes: [UInt8]) {
        self = []
        var parser = FrameParser()
        parser.append(Slice(bytes))
        while let raw = try? parser.next(frameBytesMax: Limits.frameBytes) {
            FrameHeader(length: raw.body.count, type: raw.type).append(to: &self)
            raw.body.append(to: &self)
        }
    }
}
