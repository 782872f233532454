package import Foundation
import ParleyCore

extension Addition {
    /// The most bytes of an offer's data, whoever is asked.
    package static let exchangeBytesMax = 7_900

    /// An offer of an exchange to 1 to 15 participants.
    package init(offering data: Data, to participants: [UUID], in session: SessionID) {
        let asked = participants.map { ParticipantID(Bytes16($0)) }
        let content = Exchange.offer(to: asked).content(with: Array(data))
        self.init(to: session, .exchange, content: Data(content.bytes))
    }

    /// An answer to an offer of whoever has `seat`, or the end of the own offer.
    ///
    /// - Returns: nil for a malformed ID.
    package init?(answering offer: MessageID, of seat: Int, with data: Data, in session: SessionID)
    {
        guard let dot = offer.dot else { return nil }
        let content = Exchange.answer(to: dot).content(with: Array(data))
        self.init(to: session, .exchangeAnswer, content: Data(content.bytes))
        slot = seat
    }

    /// The participants that an offer asks, and its data; nil if this is no offer or malformed.
    package var offer: (asked: [UUID], data: Data)? {
        guard let side = try? core(), let exchange = Exchange(side),
            case .offer(let asked) = exchange
        else { return nil }
        return (asked.map(\.uuid), content.dropFirst(exchange.headBytes))
    }

    /// The offer that is answered, and the data; nil for another addition or a malformed one.
    package var exchangeAnswer: (offer: MessageID, data: Data)? {
        guard let side = try? core(), let exchange = Exchange(side),
            case .answer(let dot) = exchange
        else { return nil }
        return (MessageID(dot), content.dropFirst(exchange.headBytes))
    }
}

extension Match {
    /// Whether an offer of an exchange was settled; later offers of the same author end it as well.
    package func hasSettled(_ offer: MessageID) -> Bool {
        guard let dot = offer.dot else { return false }
        return (settled ?? []).compactMap(\.dot)
            .contains { $0.origin == dot.origin && $0.sequence >= dot.sequence }
    }

    /// The same state with settled offers, each in place of an earlier one of the same author.
    package func settling(_ offers: [MessageID]) -> Match {
        var match = self
        var dots = (settled ?? []).compactMap(\.dot)
        for dot in offers.compactMap(\.dot) {
            dots.removeAll { $0.origin == dot.origin && $0.sequence < dot.sequence }
            if !dots.contains(where: { $0.origin == dot.origin }) { dots.append(dot) }
        }
        match.settled = dots.isEmpty ? nil : dots.sorted().map { MessageID($0) }
        return match
    }
}
