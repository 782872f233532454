import Foundation
import ParleyNode

extension ParleyExchange {
    /// The exchanges of a match that are neither settled nor cancelled, in the order of arrival.
    static func all(
        of match: Match,
        in session: SessionID,
        _ additions: PlacedSides<PlacedAddition>,
        without quitters: Set<UUID>
    ) -> [ParleyExchange] {
        let answers = additions.on(session, .exchangeAnswer)
        return additions.on(session, .exchange).compactMap { placed in
            guard let offer = placed.addition.offer, !match.hasSettled(placed.message),
                let seat = match.seats.firstIndex(of: placed.sender),
                offer.asked.allSatisfy(match.seats.contains)
            else { return nil }
            var found: [UUID: Data] = [:]
            for answer in answers where answer.addition.slot == seat {
                guard let given = answer.addition.exchangeAnswer, given.offer == placed.message
                else { continue }
                found[answer.sender] = given.data
            }
            guard found[placed.sender] == nil else { return nil }
            return ParleyExchange(
                id: placed.message,
                author: placed.sender,
                recipients: offer.asked,
                data: offer.data,
                answers: found.filter { offer.asked.contains($0.key) },
                isAnswered: offer.asked.allSatisfy {
                    found[$0] != nil || quitters.contains($0)
                }
            )
        }
    }
}
