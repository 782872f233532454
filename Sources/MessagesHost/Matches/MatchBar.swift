import Foundation
import Messages
import ParleyNode

/// The seats of a match and its buttons, as they stand over the views of an app.
struct MatchBar {
    /// The match; nil if the app shows none.
    let match: ParleyMatch?
    /// Whether a match can be offered.
    let mayOffer: Bool
    /// Whether the app makes the first message of another match.
    let mayPlayAgain: Bool
    /// Whether the person has chosen to watch.
    let isWatching: Bool
    /// Whether the person is asked whether to leave the match.
    let isQuitting: Bool
    /// Whether the app has something to see for those without a seat.
    let mayWatch: Bool
    /// The person's participant.
    let me: UUID
    /// How often each participant has won.
    let score: [UUID: Int]

    /// The choices with a button of their own, in order, and the titles.
    private static let titles: [(ParleyMatch.Choice, String)] = [
        (.takeSeat, "Join"), (.start, "Start"), (.leaveSeat, "Leave"), (.undo, "Undo"),
        (.claimTurn, "Go on without waiting"), (.nudge, "Nudge"), (.resign, "Give up"),
        (.takeNextSeat, "Join the next one"), (.rematch, "Rematch"),
        (.newMatch, "New game for all"),
    ]
    private static let prominent: Set<ParleyMatch.Choice> = [
        .takeSeat, .start, .claimTurn, .rematch,
    ]

    /// The views; empty if there is nothing to say.
    func view(
        offer: @escaping @MainActor @Sendable () -> Void,
        watch: @escaping @MainActor @Sendable () -> Void,
        quit: @escaping @MainActor @Sendable (Bool) -> Void,
        choose: @escaping @MainActor @Sendable (ParleyMatch.Choice) -> Void
    ) -> ParleyView {
        if isQuitting, offers(.resign) {
            return ParleyView.column {
                ParleyView.text("You cannot come back into this game.", style: .caption)
                ParleyView.row {
                    ParleyView.button("Play on") { quit(false) }.id("play on").prominent()
                    ParleyView.button("Yes, give up") { choose(.resign) }.id("quit")
                }
            }
        }
        var buttons = Self.titles.filter { offers($0.0) }.map { choice, title in
            let isStay = choice == .leaveSeat && match?.phase != .offered
            return ParleyView.button(isStay ? "Only watch" : title) {
                choice == .resign ? quit(true) : choose(choice)
            }
            .id(choice.rawValue).prominent(Self.prominent.contains(choice))
        }
        if match == nil, mayOffer {
            buttons.append(ParleyView.button("Who wants to play?", action: offer).id("offer"))
        }
        if offers(.takeSeat), mayWatch {
            buttons.append(ParleyView.button("Watch", action: watch).id("watch"))
        }
        guard !buttons.isEmpty || !lines.isEmpty else { return .empty }
        return ParleyView.column {
            for line in lines { line }
            if !buttons.isEmpty { ParleyView.row { buttons }.id("buttons") }
        }
    }

    private func offers(_ choice: ParleyMatch.Choice) -> Bool {
        guard match?.choices.contains(choice) ?? false else { return false }
        return switch choice {
        case .takeSeat: !isWatching
        case .rematch: mayPlayAgain
        // Without others a rematch is for all.
        case .newMatch: mayPlayAgain && match.map { !($0.waiting + $0.watchers).isEmpty } ?? false
        default: true
        }
    }

    private var lines: [ParleyView] {
        guard let match else { return score.isEmpty ? [] : [Self.line(scoreLine)] }
        var lines = [match.line, startLine(match)].compactMap(\.self).map(Self.line)
        if match.phase == .running, let deadline = match.deadline {
            let time = deadline.formatted(date: .omitted, time: .standard)
            let until = match.isHurried ? "Hurry: until \(time)" : "Until \(time)"
            lines.append(
                match.isLate ? Self.line("The time is over") : Self.line(until).until(deadline)
            )
        }
        if match.mySeat == nil, isWatching || match.phase == .running {
            let isNext = match.waiting.contains(me)
            lines.append(Self.line(isNext ? "You watch, and join the next one" : "You watch"))
        }
        if match.phase == .over { lines.append(Self.line(scoreLine)) }
        let others = match.present.filter { $0 != me }.prefix(ParleyMatch.namesMax)
        if !others.isEmpty {
            let names = others.map { "$\($0.uuidString)" }.joined(separator: " · ")
            lines.append(Self.line("Here now: " + names))
        }
        return lines
    }

    /// A line on the players that an offer waits for; nil if the person can start.
    private func startLine(_ match: ParleyMatch) -> String? {
        guard match.phase == .offered, !offers(.start) else { return nil }
        let missing = match.size.lowerBound - match.seats.count - match.waiting.count
        if missing > 0 {
            return "Waiting for \(missing == 1 ? "one more player" : "\(missing) more players")"
        }
        return match.author == me ? nil : "Waiting for $\(match.author.uuidString) to start"
    }

    private static func line(_ text: String) -> ParleyView { .text(text, style: .caption) }

    /// Who has won how often, the best first.
    private var scoreLine: String {
        let seated = match?.seats.map(\.participant) ?? []
        let wins = score.merging(seated.map { ($0, 0) }) { wins, _ in wins }
        return "Games won: "
            + wins.sorted { ($1.value, $0.key.uuidString) < ($0.value, $1.key.uuidString) }
            .prefix(ParleyMatch.namesMax).map { "$\($0.key.uuidString) \($0.value)" }
            .joined(separator: " · ")
    }
}

extension ParleyMatch {
    /// The most names in a line.
    static let namesMax = 6

    /// Seats and result in one line, with a `$` and the UUID in place of each name.
    var line: String {
        switch phase {
        case .offered: offerLine
        case .running:
            (seats.prefix(Self.namesMax).map { $0.hasQuit ? "\($0.name) (left)" : $0.name }
                + nextPlayers).joined(separator: " · ")
        case .over: ([resultLine] + nextPlayers).joined(separator: " · ")
        }
    }

    private var nextPlayers: [String] {
        waiting.prefix(Self.namesMax).map { "$\($0.uuidString) joins next" }
    }

    private var offerLine: String {
        let free = size.upperBound - seats.count
        let names = seats.prefix(Self.namesMax).map(\.name)
        let rest = free == 0 ? [] : [free == 1 ? "1 free seat" : "\(free) free seats"]
        let waiting = waiting.prefix(Self.namesMax).map { "$\($0.uuidString) waits" }
        return (names + rest + waiting).joined(separator: " · ")
    }

    private var resultLine: String {
        let winners = seats.filter { $0.outcome?.result == .won }
        let placed = seats.filter { $0.outcome?.place != nil }
            .sorted { ($0.outcome?.place ?? 0) < ($1.outcome?.place ?? 0) }
        if !placed.isEmpty, winners.isEmpty || placed.count > 2 {
            return "Places: "
                + placed.prefix(Self.namesMax).map { seat in
                    let score = seat.outcome?.score.map { " \($0)" } ?? ""
                    return "\(seat.outcome?.place ?? 0). \(seat.name)\(score)"
                }.joined(separator: " · ")
        }
        if !winners.isEmpty { return winners.map(\.name).joined(separator: ", ") + " won" }
        return "Nobody won"
    }
}
