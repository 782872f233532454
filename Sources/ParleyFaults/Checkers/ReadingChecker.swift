import ParleyCore

/// Answers to programs and people agree with the rows that the node wrote.
///
/// Now and then, and at the end, the checker reads a conversation as a program would: the
/// transcript in pages in both directions, each session with its heads, the conflicts, and what
/// followed since the last reading. The ledger says what must come out: it knows the rows that the
/// node handed to its store, and never asks the machine.
package struct ReadingChecker: Checker {
    package static let promise = Promise("what is read is what was written")
    package static let watches: WorldEvent.Kinds = [.answered, .ending]

    private let ledger: Ledger
    private var steps: UInt64 = 0

    /// One of so many steps is followed by a reading: each costs as much as all sessions.
    private static let stepsPerReading: UInt64 = 192

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .answered(let node, _):
            steps += 1
            guard steps.isMultiple(of: Self.stepsPerReading) else { return }
            read(node, pageOf: Int(steps / Self.stepsPerReading % 7) + 1, world)
        case .converged:
            for node in world.nodes.indices { read(node, pageOf: 3, world) }
        default: break
        }
    }

    private func read(_ node: Int, pageOf count: Int, _ world: World) {
        guard ledger.copies.indices.contains(node), !ledger.damaged.contains(node),
            let conversations = world.nodes[node].machine?.conversations
        else { return }
        for conversation in conversations {
            let reading = Reading(
                conversation: conversation,
                rows: ledger.copies[node].issued[conversation.record.id] ?? [:],
                ledger: ledger
            )
            guard let what = reading.problem(pageOf: count) else { continue }
            world.fail(Self.promise, by: [node], "\(world.nodes[node].name) \(what)")
        }
    }
}

/// One conversation as it is read, beside its rows.
private struct Reading {
    let conversation: Conversation
    let rows: [SessionTag: Ledger.Row]
    let ledger: Ledger

    func problem(pageOf count: Int) -> String? {
        sessionProblem ?? conflictProblem(pageOf: count)
            ?? followingProblem(behind: count)
            ?? transcriptProblem(pageOf: count)
    }

    // MARK: Sessions

    private var sessionProblem: String? {
        for (tag, row) in rows {
            guard let view = conversation.view(tag) else { return "does not find a session" }
            guard Set(view.heads.map(\.dot)) == Set(row.heads) else {
                return "reads other heads of a session than it wrote"
            }
            let isTrue = view.heads.allSatisfy {
                ledger.hasWritten($0, in: tag, of: conversation.record.id)
            }
            guard isTrue else { return "reads a head as nobody wrote it" }
            // A restart forgets the position of a session that lost all its heads with other keys.
            guard view.position == row.position || row.heads.isEmpty else {
                return "reads a session at position \(view.position), not \(row.position)"
            }
        }
        return conversation.sessionCount == rows.count
            ? nil : "has \(conversation.sessionCount) sessions, and wrote \(rows.count)"
    }

    // MARK: Conflicts

    private func conflictProblem(pageOf count: Int) -> String? {
        var found: [SessionTag] = []
        while true {
            let page = conversation.conflicts(after: found.last, count: count).map(\.tag)
            guard !page.isEmpty else { break }
            guard found.count + page.count <= rows.count else { return "reads conflicts for ever" }
            found += page
        }
        let expected = Set(rows.filter { $0.value.heads.count > 1 }.keys)
        return found.count == expected.count && Set(found) == expected
            ? nil : "reads \(found.count) conflicts of \(expected.count)"
    }

    // MARK: Following

    /// Reads the changes after a position some way back, as whoever follows does.
    private func followingProblem(behind count: Int) -> String? {
        let feed = conversation.feed
        let start = feed.latest - min(feed.latest, UInt64(count * count))
        var followed: [SessionTag] = []
        feed.forEach(after: start) { _, session in
            let view = conversation.view(session)
            if let view, !view.heads.isEmpty { followed.append(view.tag) }
            return true
        }
        let expected = rows.filter { $0.value.position > start && !$0.value.heads.isEmpty }
            .sorted { $0.value.position < $1.value.position }.map(\.key)
        return followed == expected
            ? nil : "tells \(followed.count) changes after \(start), not \(expected.count)"
    }

    // MARK: The transcript

    private func transcriptProblem(pageOf count: Int) -> String? {
        guard conversation.keys.canRead else {
            return conversation.transcript().isEmpty ? nil : "reads what no relay can read"
        }
        let whole = conversation.transcript()
        guard pages(of: count, forwards: true, upTo: whole.count) == whole,
            pages(of: count, forwards: false, upTo: whole.count) == whole
        else { return "reads another transcript in pages of \(count)" }
        let shown = whole.compactMap { line -> Dot? in
            guard case .message(_, _, let dot) = line else { return nil }
            return dot
        }
        let expected = rows.keys.compactMap { tag in
            conversation.view(tag)?.heads.first.flatMap { $0.isMark ? nil : $0.dot }
        }
        guard shown.count == expected.count, Set(shown) == Set(expected) else {
            return "shows \(shown.count) messages in the transcript, not \(expected.count)"
        }
        let places = whole.map(\.place)
        return zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }
            ? nil : "reads the transcript out of order"
    }

    /// The transcript, read in pages from its begin or its end.
    private func pages(of count: Int, forwards: Bool, upTo most: Int) -> [TranscriptLine] {
        var lines: [TranscriptLine] = []
        var next: TranscriptKey?
        repeat {
            let span: TranscriptSpan = forwards ? .first(after: next) : .last(before: next)
            let part = conversation.transcript(span, count: count)
            lines = forwards ? lines + part.lines : part.lines + lines
            next = part.next
        } while next != nil && lines.count <= most
        return lines
    }
}

extension HeadView {
    /// Whether a message only shows that its author takes part: a first one that is a tombstone.
    fileprivate var isMark: Bool { isTombstone && revision == 1 }
}

extension TranscriptLine {
    fileprivate var place: UInt64 {
        switch self {
        case .message(_, let place, _): place
        case .summary(_, let line): line.place
        }
    }
}
