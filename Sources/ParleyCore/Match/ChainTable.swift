/// The chains in the games of a conversation, as the additions of their participants tell.
package struct ChainTable: Sendable {
    fileprivate struct Entry: Sendable {
        var chain: Chain?
        /// The participant's key for parts.
        var key: Bytes32?
        /// The chain that was revealed before the anchors came.
        var early: Chain?
        /// Whether the participant gave two different chains.
        var isBroken = false
        /// The latest addition with links.
        var latest: Given?
    }

    /// An addition with links, by which a participant answers a message of the game.
    struct Given: Sendable {
        let reveal: RollReveal
        let head: Head
        let author: ParticipantID
    }

    private var games: [SessionUUID: [ParticipantID: Entry]] = [:]

    /// Makes a table without chains.
    package init() {}

    /// The chains of a game.
    package func chains(of game: SessionUUID) -> GameChains {
        guard let entries = games[game] else { return GameChains() }
        return GameChains(
            known: entries.compactMapValues(\.chain),
            broken: Set(entries.filter(\.value.isBroken).keys),
            keys: entries.compactMapValues(\.key)
        )
    }

    /// The latest links that each participant has given, if it was for that message of the game.
    func given(for message: Dot, in game: SessionUUID) -> [Given] {
        (games[game] ?? [:]).values.compactMap(\.latest)
            .filter { $0.reveal.message == message }
            .sorted { $0.author < $1.author }
    }

    /// Takes what a participant adds to a game.
    ///
    /// - Returns: whether the addition fits the participant's chains.
    package mutating func take(
        _ side: SideMessage,
        _ head: Head,
        by author: ParticipantID,
        using crypto: some Cryptography
    ) -> Bool {
        let isSeat = side.kind == SideMessage.Kind.seat.rawValue
        let reveal = isSeat ? nil : RollReveal(side.content)
        guard isSeat || side.kind == SideMessage.Kind.draw.rawValue,
            let given = isSeat ? Chain(seat: side.content) : reveal?.chain
        else { return true }
        let key = isSeat ? Bytes32(reading: side.content, at: 2 * Bytes32.count) : nil
        var entry = games[side.session]?[author] ?? Entry()
        var fits = true
        let steps = ChainSteps(side.session, of: author, using: crypto)
        switch (entry.chain, isSeat) {
        case (nil, true):
            entry.chain = given
            entry.key = key
            // The seat itself is no fault, whatever came before it.
            if let early = entry.early, !entry.reveal(early, steps) { entry.isBroken = true }
        case (let chain?, true):
            fits =
                steps.follows(given.open.link, 0, from: chain.open)
                && steps.follows(given.hidden.link, 0, from: chain.hidden) && entry.key == key
        case (nil, false): entry.early = given
        case (_, false): fits = entry.reveal(given, steps)
        }
        if !fits { entry.isBroken = true }
        entry.latest = reveal.map { Given(reveal: $0, head: head, author: author) } ?? entry.latest
        games[side.session, default: [:]][author] = entry
        return fits
    }
}

extension ChainTable.Entry {
    /// Takes revealed links, if they are those of the chain.
    fileprivate mutating func reveal(
        _ given: Chain,
        _ steps: ChainSteps<some Cryptography>
    ) -> Bool {
        guard let chain, steps.follows(given.open.link, given.open.number, from: chain.open),
            steps.follows(given.hidden.link, given.hidden.number, from: chain.hidden)
        else { return false }
        self.chain = Chain(
            open: given.open.number > chain.open.number ? given.open : chain.open,
            hidden: given.hidden.number > chain.hidden.number ? given.hidden : chain.hidden
        )
        return true
    }
}

/// The chains in one game.
package struct GameChains: Sendable {
    package var known: [ParticipantID: Chain] = [:]
    /// The participants that gave two different chains.
    package var broken: Set<ParticipantID> = []

    /// The keys for parts.
    package var keys: [ParticipantID: Bytes32] = [:]

    package init(
        known: [ParticipantID: Chain] = [:],
        broken: Set<ParticipantID> = [],
        keys: [ParticipantID: Bytes32] = [:]
    ) {
        self.known = known
        self.broken = broken
        self.keys = keys
    }
}

/// The content of an addition that reveals links: the latest ones of both chains.
package struct RollReveal: Sendable, Equatable {
    package let chain: Chain
    /// The message of the game that calls for them.
    package let message: Dot

    package init(_ chain: Chain, for message: Dot) {
        self.chain = chain
        self.message = message
    }

    /// Reads the content; nil if it is none.
    package init?(_ content: Slice) {
        do { try self.init(item: content) } catch { return nil }
    }

    package func encoded() -> Slice { Slice(itemBytes) }
}

extension RollReveal: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 5)
        let open = Chain.Tip(try reader.unsigned(in: 0...Limits.matchRolls), try reader.fixed())
        let hidden = Chain.Tip(try reader.unsigned(in: 0...Limits.matchRolls), try reader.fixed())
        self.init(Chain(open: open, hidden: hidden), for: try Dot(from: &reader))
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 5)
        for tip in [chain.open, chain.hidden] {
            writer.unsigned(tip.number)
            writer.fixed(tip.link)
        }
        message.write(to: &writer)
    }
}

extension Chain {
    /// The anchors in the content of a seat; nil if it has none.
    package init?(seat content: Slice) {
        guard content.count == 3 * Bytes32.count else { return nil }
        open = Tip(0, Bytes32(reading: content, at: 0))
        hidden = Tip(0, Bytes32(reading: content, at: Bytes32.count))
    }

    /// The content of a seat, for chains without a revealed link and with the key for parts.
    package func seat(with key: Bytes32) -> Slice {
        Slice(open.link.bytes + hidden.link.bytes + key.bytes)
    }
}
