/// The contributions of players to the decks of a conversation's games.
package struct DeckTable: Sendable {
    /// The share of a player.
    package struct Entry: Sendable {
        package fileprivate(set) var share: DeckShare
        /// The addition with the share.
        package fileprivate(set) var head: Head
        /// Whether the player has taken something back, or given what is no point.
        fileprivate(set) var isBroken = false
        /// Whether the hand was computed again with the share.
        fileprivate(set) var isAudited = false
        /// Ascends in the order of arrival.
        fileprivate var arrival: UInt64

        fileprivate init(_ deck: Bytes32, _ head: Head) {
            share = DeckShare(of: deck)
            self.head = head
            arrival = 0
        }
    }

    private struct Place: Hashable {
        let game: SessionUUID
        let participant: ParticipantID
        let slot: UInt64
    }

    private var entries: [Place: Entry] = [:]
    private var arrivals: UInt64 = 0
    /// The second in which hands were computed again, and how many.
    private var audits: (second: Int64, count: Int) = (0, 0)
    private static let auditsMax = 4

    /// Makes a table without decks.
    package init() {}

    /// The share of a participant in a deck with this number, or another one in the same slot; nil
    /// if the participant has given none.
    package subscript(game: SessionUUID, number: UInt64, participant: ParticipantID) -> Entry? {
        entries[Place(game: game, participant: participant, slot: number & 1)]
    }

    /// Takes what a participant adds to a deck.
    ///
    /// - Returns: whether it goes on with what the participant has given before.
    package mutating func take(
        _ share: DeckShare,
        _ head: Head,
        to game: SessionUUID,
        in slot: UInt64,
        by participant: ParticipantID,
        using group: any PrimeGroup
    ) -> Bool {
        let place = Place(game: game, participant: participant, slot: slot)
        var entry = Entry(share.deck, head)
        if let known = entries[place], known.share.deck == share.deck { entry = known }
        let hasNew = { (new: [Bytes32], old: [Bytes32]) in old.isEmpty && !new.isEmpty }
        var fits = !entry.isBroken && share.extends(entry.share)
        for (new, old) in [
            (share.shuffled, entry.share.shuffled), (share.locked, entry.share.locked),
        ] where fits && hasNew(new, old) {
            fits = Set(new).count == new.count && new.allSatisfy(group.isPoint)
        }
        if fits {
            entry.isAudited = entry.isAudited && share == entry.share
            (entry.share, entry.head) = (share, head)
        } else {
            entry.isBroken = true
            // The others go on once the secret is here.
            entry.share.seed = entry.share.seed ?? share.seed
        }
        arrivals += 1
        entry.arrival = arrivals
        entries[place] = entry
        if entries.count > Limits.deckShares { removeOne() }
        return fits
    }

    /// Forgets the oldest share of who has the most.
    private mutating func removeOne() {
        var counts: [ParticipantID: Int] = [:]
        for place in entries.keys { counts[place.participant, default: 0] += 1 }
        let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        let oldest = entries.filter { $0.key.participant == most }
            .min { $0.value.arrival < $1.value.arrival }
        if let oldest { entries[oldest.key] = nil }
    }

    /// Whether a hand is to be computed again now: once, and of all hands at most four in a second.
    mutating func audits(
        _ game: SessionUUID,
        _ deck: MatchDeck,
        of seats: [ParticipantID],
        at now: Moment
    ) -> Bool {
        let places = deck.seats.map {
            Place(game: game, participant: seats[$0], slot: deck.number & 1)
        }
        guard places.contains(where: { entries[$0]?.isAudited == false }) else { return false }
        let second = (now - .start).milliseconds / 1_000
        if second != audits.second { audits = (second, 0) }
        guard audits.count < Self.auditsMax else { return false }
        audits.count += 1
        for place in places { entries[place]?.isAudited = true }
        return true
    }
}
