/// An index from the hashes of a store's contents to slots of the store.
///
/// It is a hash table with open addressing. A bucket has eight bytes, the slot and 32 bits of the
/// hash, so that growing does not need the store. At most three quarters of the buckets are in use.
/// The hashes are Swift's, with a seed for each process, or made from those: otherwise peers could
/// choose names that all fall into one bucket.
struct SlotIndex: Sendable {
    /// The hash in the upper half and the slot + 1 in the lower, or 0 for an empty bucket.
    private var buckets: [UInt64] = []
    private var count = 0

    private static let bucketsMin = 16

    /// The first slot with this hash for which `isMatch` holds.
    func slot(hash: Int, where isMatch: (Int) -> Bool) -> Int? {
        guard !buckets.isEmpty else { return nil }
        let tag = Self.tag(hash)
        var index = home(tag)
        while buckets[index] != 0 {
            if buckets[index] >> 32 == tag {
                let slot = Self.slot(in: buckets[index])
                if isMatch(slot) { return slot }
            }
            index = next(index)
        }
        return nil
    }

    mutating func insert(_ slot: Int, hash: Int) {
        if (count + 1) * 4 > buckets.count * 3 { grow() }
        put(Self.tag(hash) << 32 | UInt64(slot + 1))
        count += 1
    }

    /// Removes a slot that was inserted with this hash.
    mutating func remove(_ slot: Int, hash: Int) {
        guard let index = index(of: slot, hash: hash) else { return }
        buckets[index] = 0
        count -= 1
        closeGap(at: index)
    }

    /// Replaces a slot by another one with the same hash.
    mutating func replace(_ slot: Int, by other: Int, hash: Int) {
        guard let index = index(of: slot, hash: hash) else { return }
        buckets[index] = Self.tag(hash) << 32 | UInt64(other + 1)
    }

    // MARK: Buckets

    private func index(of slot: Int, hash: Int) -> Int? {
        guard !buckets.isEmpty else { return nil }
        let bucket = Self.tag(hash) << 32 | UInt64(slot + 1)
        var index = home(bucket >> 32)
        while buckets[index] != 0 {
            if buckets[index] == bucket { return index }
            index = next(index)
        }
        return nil
    }

    /// Moves buckets behind a gap forward, so that each can be found from its home.
    private mutating func closeGap(at start: Int) {
        var gap = start
        var index = next(gap)
        while buckets[index] != 0 {
            let mask = buckets.count - 1
            let distance = (index - home(buckets[index] >> 32)) & mask
            if distance >= (index - gap) & mask {
                buckets[gap] = buckets[index]
                buckets[index] = 0
                gap = index
            }
            index = next(index)
        }
    }

    private mutating func grow() {
        let old = buckets
        buckets = Array(repeating: 0, count: max(Self.bucketsMin, old.count * 2))
        for bucket in old where bucket != 0 { put(bucket) }
    }

    private mutating func put(_ bucket: UInt64) {
        var index = home(bucket >> 32)
        while buckets[index] != 0 { index = next(index) }
        buckets[index] = bucket
    }

    private func home(_ tag: UInt64) -> Int { Int(tag) & (buckets.count - 1) }

    private func next(_ index: Int) -> Int { (index + 1) & (buckets.count - 1) }

    private static func tag(_ hash: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: hash) & 0xffff_ffff
    }

    private static func slot(in bucket: UInt64) -> Int { Int(bucket & 0xffff_ffff) - 1 }
}

/// Hashes the dots of an origin, with one hash of Swift's for all of them.
///
/// A sequence is multiplied by an odd factor that no peer knows, and the halves of the product are
/// combined: the lower bits of the lower half depend on the lower bits of the sequence alone.
package struct OriginHash {
    private let factor: UInt64

    init(_ origin: OriginID) {
        self.init(factor: UInt64(truncatingIfNeeded: origin.hashValue))
    }

    /// The hash with a factor, which is made odd.
    package init(factor: UInt64) { self.factor = factor | 1 }

    /// The hash of the dot with this sequence, of which the index uses the lower half.
    package func hash(of sequence: UInt64) -> Int {
        let product = sequence.multipliedFullWidth(by: factor)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }
}

extension Dot {
    /// The hash for the index of heads.
    var indexHash: Int { OriginHash(origin).hash(of: sequence) }
}
