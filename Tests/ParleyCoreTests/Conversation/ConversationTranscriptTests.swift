import ParleyCore
import ParleyFaults
import Testing

/// The order of a transcript, which is kept up to date, against its definition.
@Suite struct ConversationTranscriptTests {
    private static let authors = [SimulatedAuthor(writer: 2), SimulatedAuthor(writer: 3)]
    private var ada: SimulatedAuthor { Self.authors[0] }
    private var ben: SimulatedAuthor { Self.authors[1] }

    private func sample() -> SampleConversation {
        SampleConversation(writers: Self.authors)
    }

    /// Messages of a few sessions: new ones, replacements, conflicts, ends and marks, at any place.
    private func envelopes(seed: UInt64, count: Int) throws -> [Envelope] {
        var random = SeededRandom(seed: seed)
        var heads: [String: [(dot: Dot, revision: UInt64)]] = [:]
        return try (1...UInt64(count)).map { number in
            let author = Self.authors[Int.random(in: 0...1, using: &random)]
            let session = "s\(Int.random(in: 0..<count / 4, using: &random))"
            let known = heads[session, default: []]
            // Some authors have seen all heads, some only one of them, or none.
            let seen = known.suffix(Int.random(in: 0...known.count, using: &random))
            let revision = 1 + (seen.map(\.revision).max() ?? 0)
            heads[session] = Array((known + [(author.dot(number), revision)]).suffix(3))
            // An author need not name the dots of its own.
            let others = seen.map(\.dot).filter { $0.origin != author.origin }
            return try author.writes(
                session,
                number,
                revision: revision,
                context: others.max().map { [$0] } ?? [],
                isTombstone: Int.random(in: 0..<9, using: &random) == 0,
                place: UInt64.random(in: 1...40, using: &random)
            )
        }
    }

    /// All lines by definition: of every session the shown message unless it is a mark, and the
    /// lines that are no heads.
    private func expected(_ conversation: Conversation) -> [Dot] {
        var keys: [TranscriptKey] = []
        for (number, session) in conversation.sessions.enumerated() {
            guard let shown = session.register.shown else { continue }
            let isEnd = session.record(of: shown.dot)?.isTombstone ?? false
            guard shown.revision > 1 || !isEnd else { continue }
            func add(_ dot: Dot, _ place: UInt64) {
                keys.append(TranscriptKey(place: place, dot: dot, session: Int32(number)))
            }
            add(shown.dot, session.shownLine?.place ?? 0)
            for line in session.lines.lines where session.record(of: line.dot) == nil {
                add(line.dot, line.place)
            }
        }
        return keys.sorted().map(\.dot)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func isInOrderAfterEveryMerge(seed: UInt64) throws {
        var sample = sample()
        for envelope in try envelopes(seed: seed, count: 160) {
            _ = sample.merge(envelope)
            #expect(sample.conversation.transcript().map(\.dot) == expected(sample.conversation))
        }
        // The same after a restart, when the rows come in the order of their numbers.
        var again = self.sample()
        for number in sample.conversation.sessions.indices {
            let row = sample.conversation.write(Int32(number), with: sample.ticket)
            _ = again.conversation.recover(row, into: &again.cache, using: again.crypto)
        }
        #expect(again.conversation.transcript() == sample.conversation.transcript())
        #expect(again.conversation.sessions.contains { $0.heads.count > 1 })
    }

    /// Pages in both directions have every entry once, whatever their size.
    @Test(arguments: [1, 7, 50, 200])
    func pagesHaveEveryEntryOnce(size: Int) throws {
        var sample = sample()
        for envelope in try envelopes(seed: 99, count: 300) { _ = sample.merge(envelope) }
        let conversation = sample.conversation
        let all = conversation.transcript()
        var (back, forth): ([TranscriptLine], [TranscriptLine]) = ([], [])
        var part = conversation.transcript(.last(before: nil), count: size)
        back = part.lines
        while let next = part.next {
            part = conversation.transcript(.last(before: next), count: size)
            #expect(part.lines.count <= size)
            back = part.lines + back
        }
        part = conversation.transcript(.first(after: nil), count: size)
        forth = part.lines
        while let next = part.next {
            part = conversation.transcript(.first(after: next), count: size)
            forth += part.lines
        }
        #expect(back == all && forth == all)
    }

    /// A session that moves to the end is there once for who reads towards the start, and again,
    /// with its later message, for who reads towards the end.
    @Test func aCursorStaysWhereItIs() throws {
        var sample = sample()
        for number in 1...6 as ClosedRange<UInt64> {
            sample.take([try ada.writes("s\(number)", number, place: number)])
        }
        let last = sample.conversation.transcript(.last(before: nil), count: 3)
        let first = sample.conversation.transcript(.first(after: nil), count: 3)
        #expect(last.lines.map(\.dot) == [4, 5, 6].map { ada.dot($0) })
        sample.take([
            try ben.writes("s2", 1, revision: 2, context: [ada.dot(2)], place: 7),
            try ben.writes("s4", 2, revision: 2, context: [ada.dot(4)], place: 8),
        ])
        let before = sample.conversation.transcript(.last(before: last.next), count: 9)
        #expect(before.lines.map(\.dot) == [1, 2, 3].map { ada.dot($0) })
        #expect(before.lines.map(isMessage) == [true, false, true])
        let after = sample.conversation.transcript(.first(after: first.next), count: 9)
        #expect(
            after.lines.map(\.dot) == [4, 5, 6].map { ada.dot($0) } + [ben.dot(1), ben.dot(2)]
        )
    }

    private func isMessage(_ line: TranscriptLine) -> Bool {
        if case .message = line { true } else { false }
    }

    /// Stickers are found by the message that they are on, as long as they are heads, also beside
    /// another head that is shown in their place.
    @Test func stickersAreFoundByTheirMessage() throws {
        var sample = sample()
        let target = ada.dot(1)
        sample.take([
            try ada.writes("target"),
            try ada.writes("one", 2, on: target), try ben.writes("two", 1, on: target),
            try ben.writes("other", 2, on: ada.dot(9)),
        ])
        func tags(_ conversation: Conversation, _ count: Int = 9) -> [SessionTag] {
            conversation.sides(on: .message(target), last: count).map(\.tag)
        }
        #expect(tags(sample.conversation) == [ada.tag("one"), ada.tag("two")])
        #expect(tags(sample.conversation, 1) == [ada.tag("two")])
        // Both authors write to one session at once: one of the two is the sticker, shown or not.
        sample.take([try ben.writes("one", 3)])
        #expect(tags(sample.conversation) == [ada.tag("one"), ada.tag("two")])
        var again = self.sample()
        for number in sample.conversation.sessions.indices {
            let row = sample.conversation.write(Int32(number), with: sample.ticket)
            _ = again.conversation.recover(row, into: &again.cache, using: again.crypto)
        }
        #expect(tags(again.conversation) == tags(sample.conversation))
        sample.take([
            try ada.writes("one", 4, revision: 2, context: [ben.dot(3)], isTombstone: true)
        ])
        #expect(tags(sample.conversation) == [ada.tag("two")])
    }
}
