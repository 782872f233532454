import Foundation
import ParleyNode

/// Exchanges beside the turns.
extension MatchKeeper {
    /// Adds the step of an exchange to a match.
    func exchange(
        _ step: ParleyExchange.Step,
        in session: SessionID,
        of model: ConversationModel,
        _ done: @escaping MatchAnswer
    ) {
        do throws(HostError) {
            add(try addition(step, in: session, of: model), model, done)
        } catch {
            done(.failure(error))
        }
    }

    private func addition(
        _ step: ParleyExchange.Step,
        in session: SessionID,
        of model: ConversationModel
    ) throws(HostError) -> Addition {
        guard let match = model.match(in: session), match.phase == .running,
            let me = match.mySeat, !match.seats[me].hasQuit
        else { throw .exchange(.notPlaying) }
        switch step {
        case .offer(let data, let asked):
            let others = match.seats.filter { !$0.isMe }.map(\.participant)
            guard !asked.isEmpty, Set(asked).count == asked.count,
                asked.allSatisfy(others.contains)
            else { throw .exchange(.nobodyAsked) }
            guard !match.exchanges.contains(where: { $0.author == model.me.id }) else {
                throw .exchange(.oneAtATime)
            }
            try check(data)
            return Addition(offering: data, to: asked, in: session)
        case .answer(let id, let data):
            let exchange = try exchange(id, in: match)
            guard exchange.recipients.contains(model.me.id) else { throw .exchange(.notAsked) }
            try check(data)
            return try answer(exchange, data, match, session)
        case .cancel(let id):
            let exchange = try exchange(id, in: match)
            guard exchange.author == model.me.id else { throw .exchange(.notAsked) }
            return try answer(exchange, Data(), match, session)
        }
    }

    private func check(_ data: Data) throws(HostError) {
        let limit = Addition.exchangeBytesMax
        guard data.count <= limit else {
            throw .tooLarge(what: "The exchange", size: data.count, limit: limit)
        }
    }

    private func exchange(
        _ id: MessageID,
        in match: ParleyMatch
    ) throws(HostError) -> ParleyExchange {
        guard let exchange = match.exchanges.first(where: { $0.id == id }) else {
            throw .exchange(.gone)
        }
        return exchange
    }

    private func answer(
        _ exchange: ParleyExchange,
        _ data: Data,
        _ match: ParleyMatch,
        _ session: SessionID
    ) throws(HostError) -> Addition {
        let seat = match.seats.firstIndex { $0.participant == exchange.author } ?? 0
        guard let addition = Addition(answering: exchange.id, of: seat, with: data, in: session)
        else { throw .exchange(.gone) }
        return addition
    }
}
