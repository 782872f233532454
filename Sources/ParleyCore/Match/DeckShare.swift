/// The contribution of one player to a deck so far: the content of an addition, which a later one
/// replaces.
package struct DeckShare: Sendable, Equatable {
    /// The key that opens the player's lock of one card.
    package struct Key: Sendable, Equatable {
        /// The position in the deck.
        package var position: Int
        /// The seat that may see the card; nil for all.
        package var owner: Int?
        /// The scalar of the lock.
        package var lock: Bytes32

        static let packedBytes = 2 + Bytes32.count

        package init(position: Int, owner: Int?, lock: Bytes32) {
            self.position = position
            self.owner = owner
            self.lock = lock
        }
    }

    /// The ID of the deck.
    package var deck: Bytes32
    /// The digests of the points that were shuffled, and of those that were locked.
    package var inputs: [Bytes32] = []
    /// The points after the player has masked and shuffled all; empty until then.
    package var shuffled: [Bytes32] = []
    /// The points after the player has put locks in place of the mask; empty until then.
    package var locked: [Bytes32] = []
    package var keys: [Key] = []
    /// The secret from which mask, order and locks follow, once the hand is over.
    package var seed: Bytes32?

    package init(of deck: Bytes32) { self.deck = deck }

    /// The points of one of the two steps.
    func points(_ isLocking: Bool) -> [Bytes32] { isLocking ? locked : shuffled }

    /// Whether the player has only added something since.
    func extends(_ before: DeckShare) -> Bool {
        deck == before.deck && inputs.starts(with: before.inputs)
            && (before.shuffled.isEmpty || shuffled == before.shuffled)
            && (before.locked.isEmpty || locked == before.locked)
            && before.keys.allSatisfy(keys.contains)
            && Set(keys.map(\.position)).count == keys.count
            && (before.seed == nil || seed == before.seed)
    }

    /// Whether there are points or keys of other cards than those of a deck of so many.
    func isMisfit(of count: Int) -> Bool {
        [shuffled, locked].contains { !$0.isEmpty && $0.count != count }
            || keys.contains { $0.position >= count }
    }

    /// The key that the player has given for a position; nil without one.
    func key(at position: Int) -> Key? { keys.first { $0.position == position } }
}

extension DeckShare: CBORItem {
    /// Reads the content of an addition; nil if it is none of a deck.
    package init?(_ side: SideMessage) {
        guard side.kind == SideMessage.Kind.deck.rawValue else { return nil }
        do { try self.init(item: side.content) } catch { return nil }
    }

    package func encoded() -> Slice { Slice(itemBytes) }

    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 6)
        deck = try reader.fixed()
        inputs = try reader.packed(count: 0...2)
        shuffled = try reader.packed(count: 0...Limits.deckCards)
        locked = try reader.packed(count: 0...Limits.deckCards)
        keys = try reader.packed(count: 0...Limits.deckCards)
        let seeds: [Bytes32] = try reader.packed(count: 0...1)
        seed = seeds.first
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 6)
        writer.fixed(deck)
        writer.packed(inputs)
        writer.packed(shuffled)
        writer.packed(locked)
        writer.packed(keys)
        writer.byteString(seed?.bytes ?? [])
    }
}

extension DeckShare.Key: PackedElement {
    init(packed slice: Slice, at offset: Int) throws(CodecError) {
        let owner = Int(slice[offset + 1])
        guard slice[offset] < Limits.deckCards, owner <= Limits.matchSeats else {
            throw .outOfRange
        }
        position = Int(slice[offset])
        self.owner = owner == 0 ? nil : owner - 1
        lock = Bytes32(reading: slice, at: offset + 2)
    }

    func appendPacked(to buffer: inout [UInt8]) {
        buffer.append(UInt8(truncatingIfNeeded: position))
        buffer.append(owner.map { UInt8(truncatingIfNeeded: $0 + 1) } ?? 0)
        lock.append(to: &buffer)
    }
}
