package import Foundation
import ParleyCore

extension Match.Roll {
    init(_ roll: MatchRoll) {
        let isOfAll = roll.giving == roll.seats
        self.init(
            Kind(roll.kind),
            number: Int(roll.number),
            seats: roll.seats,
            giving: isOfAll ? nil : roll.giving
        )
    }

    /// The roll in an envelope; the node answers the one before by itself.
    ///
    /// - Throws: `badDraft` for a number out of its range.
    func core(of count: Int) throws(NodeError) -> MatchRoll {
        guard let number = UInt64(exactly: number), (2...Limits.matchRolls).contains(number),
            !seats.isEmpty, seats.allSatisfy((0..<count).contains), seats == Set(seats).sorted(),
            giving.map({ $0 == Set($0).sorted() && !$0.isEmpty }) ?? true,
            giving?.allSatisfy(seats.contains) ?? true, kind == .open || giving ?? seats == seats
        else { throw .badDraft("a game has rolls 2 to \(Limits.matchRolls), of its seats") }
        return MatchRoll(kind.core, number: number, seats: seats, giving: giving)
    }
}

extension Match.Roll.Kind {
    fileprivate init(_ kind: MatchRoll.Kind) {
        self =
            switch kind {
            case .open: .open
            case .hidden: .hidden
            case .shown: .shown
            }
    }

    fileprivate var core: MatchRoll.Kind {
        switch self {
        case .open: .open
        case .hidden: .hidden
        case .shown: .shown
        }
    }
}

extension RollDetail {
    init(_ view: RollView) {
        self.init(
            Match.Roll.Kind(view.roll.kind),
            number: Int(view.roll.number),
            values: view.values.mapValues { Data($0.bytes) },
            missing: view.missing,
            due: view.due.flatMap { Addition.Kind(rawValue: Int($0.rawValue)) }
        )
    }
}

extension MessageReader {
    /// The present dice and cards of a game, as the participant sees them.
    package func chance(
        in session: SessionID,
        of conversation: String,
        for participant: UUID?
    ) throws(NodeError) -> ChanceDetail {
        let found = try readable(conversation)
        let own = participant.map { ParticipantID(Bytes16($0)) } ?? found.keys.ownParticipant
        let rolls = GameRolls(in: found)
        return ChanceDetail(
            roll: rolls.roll(of: session.core, for: own, using: machine.crypto)
                .map(RollDetail.init),
            deck: rolls.deck(of: session.core, for: own, using: machine.crypto)
                .map(DeckDetail.init)
        )
    }
}
