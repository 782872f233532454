/// The vouches of a conversation, and the envelopes that count because of them.
package struct VouchTable: Sendable {
    private var vouches: [Bytes32: Vouch] = [:]
    private var counts: [Bytes32: Int] = [:]
    /// The number of vouches by members of the current generation.
    private var holding = 0
    /// The envelopes for which a member of the current generation vouches.
    private var vouched: [OriginID: Set<Bytes16>] = [:]

    package subscript(id: Bytes32) -> Vouch? {
        get { vouches[id] }
        set {
            guard let newValue, vouches.updateValue(newValue, forKey: id) == nil else { return }
            counts[newValue.device, default: 0] += 1
        }
    }

    var isEmpty: Bool { vouches.isEmpty }

    /// All vouches, ascending by ID.
    package var all: [(id: Bytes32, vouch: Vouch)] {
        vouches.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether the device may vouch once more, and the conversation has a place for it.
    func hasPlace(for vouch: Vouch) -> Bool {
        holding < Limits.vouches && counts[vouch.device] ?? 0 < Limits.vouchesPerDevice
    }

    /// Whether a member of the current generation vouches for an envelope.
    package func covers(_ digest: Bytes32, of origin: OriginID) -> Bool {
        vouched[origin]?.contains(digest.prefix16) ?? false
    }

    /// Has the envelopes count for which members of the current generation vouch.
    ///
    /// Of the vouches that do not hold, the lowest IDs are kept, for another line.
    ///
    /// - Returns: the IDs of forgotten vouches.
    mutating func settle(_ valid: Set<Bytes32>) -> [Bytes32] {
        vouched = [:]
        holding = valid.count
        var idle: [Bytes32] = []
        for (id, vouch) in all {
            guard valid.contains(id) else {
                idle.append(id)
                continue
            }
            vouched[vouch.origin, default: []].formUnion(vouch.digests)
        }
        let forgotten = Array(idle.dropFirst(Limits.idleVouches))
        for id in forgotten {
            guard let vouch = vouches.removeValue(forKey: id) else { continue }
            counts[vouch.device, default: 0] -= 1
        }
        return forgotten
    }
}
