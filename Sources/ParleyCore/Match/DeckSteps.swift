/// Computes what one player does to a deck.
///
/// Masking is a multiplication of points, so that it does not matter in which order players mask
/// and unmask: the commutative encryption of Shamir, Rivest and Adleman's "Mental Poker".
package struct DeckSteps<Crypto: Cryptography>: Sendable {
    private let crypto: Crypto
    /// The player's secret for the deck.
    package let seed: Bytes32

    package init(seed: Bytes32, using crypto: Crypto) {
        self.seed = seed
        self.crypto = crypto
    }

    /// The points of the cards of a deck, in the order of the cards.
    package static func cards(
        _ count: Int,
        of deck: Bytes32,
        using crypto: Crypto
    ) -> [Bytes32] {
        let input = [UInt8]("parley card 1".utf8) + deck.bytes
        return (0..<count).map { crypto.group.point(of: uniform(input, $0, using: crypto)) }
    }

    /// The points after masking all with one scalar, in the player's order.
    package func shuffled(_ points: [Bytes32]) -> [Bytes32]? {
        all(order(points.count).map { points[$0] }) { _ in mask }
    }

    /// The points with a lock of their own each, in place of the player's mask.
    package func locked(_ points: [Bytes32]) -> [Bytes32]? {
        guard let unmask = crypto.group.inverse(of: mask) else { return nil }
        return all(points) { crypto.group.product(lock(at: $0), unmask) }
    }

    /// The scalar of the lock at a position.
    package func lock(at position: Int) -> Bytes32 { scalar("parley lock 1", position) }

    private var mask: Bytes32 { scalar("parley mask 1", 0) }

    private func all(_ points: [Bytes32], _ scalar: (Int) -> Bytes32) -> [Bytes32]? {
        var results: [Bytes32] = []
        for (position, point) in points.enumerated() {
            guard let result = crypto.group.multiply(point, by: scalar(position)) else {
                return nil
            }
            results.append(result)
        }
        return results
    }

    /// The place of origin of each position: the shuffle of Fisher and Yates.
    private func order(_ count: Int) -> [Int] {
        var order = Array(0..<count)
        for last in order.indices.dropFirst().reversed() {
            let drawn = crypto.sha256(labelled("parley order 1") + Self.number(last)).words.0
            order.swapAt(last, Int(drawn % UInt64(last + 1)))
        }
        return order
    }

    private func scalar(_ label: StaticString, _ position: Int) -> Bytes32 {
        crypto.group.scalar(of: Self.uniform(labelled(label), position, using: crypto))
    }

    private func labelled(_ label: StaticString) -> [UInt8] {
        label.withUTF8Buffer(Array.init) + seed.bytes
    }

    /// 64 bytes that follow from an input and a number.
    private static func uniform(
        _ input: [UInt8],
        _ number: Int,
        using crypto: Crypto
    ) -> [UInt8] {
        let input = input + Self.number(number)
        return crypto.sha256(input + [0]).bytes + crypto.sha256(input + [1]).bytes
    }

    private static func number(_ number: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: number)] }
}
