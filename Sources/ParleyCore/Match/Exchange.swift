/// An addition to a turn game beside the turns: an offer to some of the others, or the answer to
/// one.
///
/// A participant makes one offer at a time, in slot 0. An answer is in the slot that is the seat of
/// who made the offer; in that slot, whoever made the offer ends it.
package enum Exchange: Sendable, Equatable {
    /// An offer to 1 to 15 participants.
    case offer(to: [ParticipantID])
    /// An answer to the offer with this dot.
    case answer(to: Dot)

    /// Reads the content of an addition; nil if it is neither.
    package init?(_ side: SideMessage) {
        switch SideMessage.Kind(rawValue: side.kind) {
        case .exchange:
            let count = side.content.isEmpty ? 0 : Int(side.content[0])
            guard (1..<Limits.matchSeats).contains(count), side.slot == 0,
                side.content.count > ParticipantID.count * count
            else { return nil }
            self = .offer(
                to: (0..<count).map {
                    ParticipantID(reading: side.content, at: 1 + ParticipantID.count * $0)
                }
            )
        case .exchangeAnswer:
            guard side.content.count >= Dot.packedBytes,
                let dot = try? Dot(packed: side.content, at: 0)
            else { return nil }
            self = .answer(to: dot)
        default: return nil
        }
    }

    /// The content of an addition, with the data of the app.
    package func content(with data: [UInt8]) -> Slice {
        var bytes: [UInt8] = []
        switch self {
        case .offer(let participants):
            bytes.append(UInt8(truncatingIfNeeded: participants.count))
            for participant in participants { participant.value.append(to: &bytes) }
        case .answer(let dot): dot.appendPacked(to: &bytes)
        }
        return Slice(bytes + data)
    }

    /// The bytes of a content before the data of the app.
    package var headBytes: Int {
        switch self {
        case .offer(let participants): 1 + ParticipantID.count * participants.count
        case .answer: Dot.packedBytes
        }
    }
}

/// The exchanges that stand beside a game.
package struct GameExchanges: Sendable, Equatable {
    /// An offer or an answer that stands.
    package struct Placed: Sendable, Equatable {
        package let author: ParticipantID
        package let slot: UInt64
        /// The number of the addition's own session.
        let session: Int32
        package let exchange: Exchange
    }

    private var placed: [Dot: Placed] = [:]

    var isEmpty: Bool { placed.isEmpty }

    package init() {}

    /// The dots of the offers, ascending.
    package var offers: [Dot] {
        placed.filter { if case .offer = $0.value.exchange { true } else { false } }.keys.sorted()
    }

    package subscript(dot: Dot) -> Placed? { placed[dot] }

    /// The participants that an offer asks; nil if it does not stand.
    package func asked(by offer: Dot) -> [ParticipantID]? {
        guard case .offer(let asked)? = placed[offer]?.exchange else { return nil }
        return asked
    }

    /// Notes an addition that stands.
    package mutating func place(
        _ exchange: Exchange,
        _ head: Dot,
        of session: Int32,
        slot: UInt64,
        by author: ParticipantID
    ) {
        placed[head] = Placed(author: author, slot: slot, session: session, exchange: exchange)
    }

    /// Forgets an addition that was replaced or dropped.
    package mutating func remove(_ head: Dot) { placed[head] = nil }

    /// Whether a participant has answered an offer, or has ended the own one.
    package func hasAnswered(_ participant: ParticipantID, _ offer: Dot) -> Bool {
        placed.values.contains {
            $0.author == participant && $0.exchange == .answer(to: offer)
        }
    }

    /// The answers to offers that did not ask their authors, ascending.
    var unasked: [Dot] {
        placed.filter { _, answer in
            guard case .answer(let offer) = answer.exchange, let asked = asked(by: offer) else {
                return false
            }
            return answer.author != placed[offer]?.author && !asked.contains(answer.author)
        }.keys.sorted()
    }
}

/// The verdict of nodes on the exchanges that a message settles.
extension GameExchanges {
    /// Whether all who were asked by an offer have answered; nil if that cannot be told any more.
    ///
    /// Who has quit need not answer. An offer and an answer can be replaced or taken back once the
    /// message is written, so that only where nothing is at all, nothing has been.
    ///
    /// - Parameters:
    ///   - offer: The dot of the offer.
    ///   - seats: The participants in the order of their seats.
    ///   - quit: The participants who have quit.
    ///   - author: The participant of the dot's origin; nil if the origin is not known.
    ///   - isThere: Whether a participant has an addition of a kind in a slot, even one taken back
    ///     or left out for lack of capacity.
    /// - Returns: false if somebody has not answered, or nobody has made such an offer.
    package func isSettled(
        _ offer: Dot,
        _ seats: [ParticipantID],
        quit: [ParticipantID],
        by author: ParticipantID?,
        isThere: (SideMessage.Kind, Int, ParticipantID) -> Bool
    ) -> Bool? {
        guard let author, let seat = seats.firstIndex(of: author) else { return false }
        guard let asked = asked(by: offer) else {
            let isEarlier = offers.contains {
                $0.origin == offer.origin && $0.sequence < offer.sequence
            }
            return !isEarlier && isThere(.exchange, 0, author) ? nil : false
        }
        guard placed[offer]?.author == author, asked.allSatisfy(seats.contains) else {
            return false
        }
        let missing = asked.filter { participant in
            !quit.contains(participant)
                && !placed.values.contains {
                    $0.author == participant && $0.slot == UInt64(seat)
                        && $0.exchange == .answer(to: offer)
                }
        }
        if missing.isEmpty { return true }
        return missing.allSatisfy { isThere(.exchangeAnswer, seat, $0) } ? nil : false
    }
}

extension MatchState {
    /// Adds a settled offer in place of an earlier one of the same origin.
    package mutating func settle(_ offer: Dot) {
        settled.removeAll { $0.origin == offer.origin }
        settled = (settled + [offer]).sorted()
    }

    /// Whether the offers that a message has settled are, in a later one.
    func keepsSettled(of base: MatchState) -> Bool {
        base.settled.allSatisfy { old in
            settled.contains { $0.origin == old.origin && $0.sequence >= old.sequence }
        }
    }
}
