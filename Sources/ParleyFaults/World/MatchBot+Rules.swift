import ParleyCore

/// The URLs and sealed parts in the messages of the player, and cheats with them.
extension MatchBot {
    /// The rules of the game: each message has the next number, but for a claim.
    package static let rules: MatchRules = { step in
        guard let before = number(of: step.before) else { return true }
        return number(of: step.after) == before + 1
    }

    private static func number(of body: MessageBody?) -> Int? {
        body?.url.flatMap { Int($0.dropFirst(urlStart.count)) }
    }

    private static let urlStart = "?game "

    /// The URL of a message whose number is so much higher than that of the last one.
    func url(_ distance: Int) -> String {
        Self.urlStart + String((Self.number(of: last) ?? -1) + distance)
    }

    // MARK: Parts

    /// The parts of the last message, sealed as they were.
    var parts: [MatchPart] {
        guard case .match(let state) = last?.role else { return [] }
        return state.parts
    }

    /// The same parts as in a message before, sealed again; nil if one of them is gone.
    func parts(as kept: [MatchPart]) -> [MatchPart]? {
        let found = kept.compactMap { part in
            parts.first { ($0.to, $0.by, $0.key) == (part.to, part.by, part.key) }
        }
        return found.count == kept.count ? found : nil
    }

    /// Seals something for another player now and then.
    mutating func seal(with draft: inout World.Draft) {
        guard case .match(let state) = draft.role, state.phase == .running, random.chance(1, in: 3),
            let seat = ownSeat, let other = state.seats.indices.randomElement(using: &random),
            other != seat
        else { return }
        draft.parts = [AuthorRequest.Part(Slice([UInt8](session.value.bytes)), to: other)]
    }

    // MARK: Cheating

    /// A part of another player that was never sealed, or was for somebody else.
    mutating func falsePart(by seat: Int, in seats: [ParticipantID]) -> MatchPart? {
        guard let author = seats.indices.first(where: { $0 != seat }) else { return nil }
        if random.chance(1, in: 2) {
            return MatchPart(to: seat, by: author, key: .zero, sealed: Slice([0]))
        }
        guard var part = parts.first(where: { $0.by != seat }) else { return nil }
        part.to = (part.to + 1) % seats.count
        return part
    }
}
