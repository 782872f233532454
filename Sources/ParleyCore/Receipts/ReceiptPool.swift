/// The receipts of a conversation for sending, of this device and of others.
package struct ReceiptPool: Sendable {
    /// The receipts of a device for an origin: a set, or a part of a set.
    private struct Held {
        /// The link of the receipts; nil for receipts of this device.
        var source: LinkID?
        var receipts: [(receipt: Receipt, isSent: Bool)] = []
    }

    private struct Place: Hashable {
        let origin: OriginID
        let device: UInt64
    }

    private var held: [OriginID: [UInt64: Held]] = [:]
    /// What each link brought, the oldest first.
    private var brought: [LinkID: [Place]] = [:]
    private(set) var count = 0

    package init() {}

    /// The origins with receipts, ascending.
    package var origins: [OriginID] { held.keys.sorted() }

    /// Keeps a receipt unless it is here already, or a later set of its device is.
    ///
    /// - Returns: whether the receipt is new.
    package mutating func insert(
        _ receipt: Receipt,
        of origin: OriginID,
        from source: LinkID?
    ) -> Bool {
        let known = held[origin]?[receipt.device]
        var entry = known ?? Held(source: source)
        if let set = entry.receipts.first?.receipt.set {
            guard set <= receipt.set else { return false }
            if set < receipt.set {
                count -= entry.receipts.count
                entry.receipts = []
            }
        }
        guard !entry.receipts.contains(where: { $0.receipt.counter == receipt.counter }) else {
            return false
        }
        entry.receipts.append((receipt, false))
        if entry.source != nil || source == nil { entry.source = source }
        count += 1
        held[origin, default: [:]][receipt.device] = entry
        if known == nil, let source {
            brought[source, default: []].append(Place(origin: origin, device: receipt.device))
        }
        if count > Limits.receiptsKept { forgetOne() }
        return true
    }

    /// Forgets the oldest receipts of the link that brought most.
    private mutating func forgetOne() {
        let most = brought.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
        guard let link = most?.key, let place = brought[link]?.first else { return }
        brought[link]?.removeFirst()
        if brought[link]?.isEmpty == true { brought[link] = nil }
        let gone = held[place.origin]?.removeValue(forKey: place.device)
        count -= gone?.receipts.count ?? 0
        if held[place.origin]?.isEmpty == true { held[place.origin] = nil }
    }

    /// Marks all receipts for an origin to be sent again.
    ///
    /// - Returns: whether there are any.
    package mutating func renew(_ origin: OriginID) -> Bool {
        guard var entries = held[origin] else { return false }
        for device in entries.keys {
            for index in entries[device]?.receipts.indices ?? 0..<0 {
                entries[device]?.receipts[index].isSent = false
            }
        }
        held[origin] = entries
        return true
    }

    /// The unsent receipts for an origin, each with its link.
    ///
    /// They count as sent from now on.
    package mutating func takeUnsent(_ origin: OriginID) -> [(receipt: Receipt, source: LinkID?)] {
        guard var entries = held[origin] else { return [] }
        var unsent: [(receipt: Receipt, source: LinkID?)] = []
        for device in entries.keys.sorted() {
            guard var entry = entries[device] else { continue }
            for index in entry.receipts.indices where !entry.receipts[index].isSent {
                unsent.append((entry.receipts[index].receipt, entry.source))
                entry.receipts[index].isSent = true
            }
            entries[device] = entry
        }
        held[origin] = entries
        return unsent
    }

    /// Whether something that another device sent was not sent on yet.
    package func isAnyUnsentOfOthers(_ origin: OriginID) -> Bool {
        held[origin]?.values.contains { entry in
            entry.source != nil && entry.receipts.contains { !$0.isSent }
        } ?? false
    }
}
