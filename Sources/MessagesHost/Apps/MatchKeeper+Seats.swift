import Foundation
import ParleyNode

/// Seats that are given back.
extension MatchKeeper {
    /// Gives the own seat back, or what waits for one, in the match before as well.
    func leaveSeat(
        _ view: MatchStanding,
        _ shown: Message,
        _ model: ConversationModel,
        _ done: @escaping MatchAnswer
    ) {
        // Else the host would take the seat again, for the wish in the match before.
        seated.insert(view.session)
        let sessions = (view.hasWaited ? [view.previous].compactMap(\.self) : []) + [view.session]
        let own = sessions.flatMap { model.additions.on($0, .seat) }
            .filter { $0.sender == view.me }
        // The offerer's own seat is in the offer itself.
        let isOfferer = view.author == view.me && view.match.phase == .offered
        for addition in own {
            let isLast = addition.id == own.last?.id && !isOfferer
            host?.send(OutgoingMessage.takenBack(addition.id), to: model.name) { result in
                if isLast { done(result.map { _ in }.mapError { HostError($0) }) }
            }
        }
        guard isOfferer else { return own.isEmpty ? done(.success(())) : () }
        let match = view.match.confirmed(view.match.seats.filter { $0 != view.me })
        goOn(from: shown, match, model, done) {
            $0.summaryText = "$\(view.me.uuidString) left"
        }
    }
}
