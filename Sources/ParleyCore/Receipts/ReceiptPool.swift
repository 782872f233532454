/// The receipts of others in a conversation, for passing on.
///
/// Nobody on the way can tell whether a receipt is of the device that it names. What one neighbour
/// brings therefore never takes the place of what another one has brought.
package struct ReceiptPool: Sendable {
    /// A set of receipts, or a part of a set, as one neighbour brought it.
    private struct Held {
        /// The number of the set in the order of arrival.
        let number: UInt64
        var receipts: [(receipt: Receipt, isSent: Bool)] = []
    }

    private struct Place {
        let origin: OriginID
        let maker: UInt64
    }

    /// By origin, by the name of the device in its receipts, and by neighbour.
    private var held: [OriginID: [UInt64: [DeviceID: Held]]] = [:]
    /// The places of the sets that each neighbour brought, by number, and how many receipts.
    private var brought: [DeviceID: (places: [UInt64: Place], count: Int)] = [:]
    private var sets: UInt64 = 0
    private var count = 0

    package init() {}

    /// The origins with receipts, ascending.
    var origins: [OriginID] { held.keys.sorted() }

    /// Keeps a receipt unless it is here already, or the neighbour has brought a later set.
    ///
    /// - Returns: whether the receipt is new.
    package mutating func insert(_ receipt: Receipt, of origin: OriginID, from source: DeviceID)
        -> Bool
    {
        var sources = held[origin]?[receipt.device] ?? [:]
        let isHere = sources.values.contains { entry in
            entry.receipts.contains { $0.receipt == receipt }
        }
        guard !isHere else { return false }
        let place = Place(origin: origin, maker: receipt.device)
        if let before = sources[source], let set = before.receipts.first?.receipt.set {
            guard set <= receipt.set,
                !before.receipts.contains(where: { $0.receipt.counter == receipt.counter })
            else { return false }
            if set < receipt.set {
                forget(before.number, at: place, of: source)
                sources[source] = nil
            }
        }
        if sources[source] == nil {
            sets += 1
            sources[source] = Held(number: sets)
            brought[source, default: ([:], 0)].places[sets] = place
        }
        sources[source]?.receipts.append((receipt, false))
        held[origin, default: [:]][receipt.device] = sources
        brought[source]?.count += 1
        count += 1
        if count > Limits.receiptsKept { forgetOldest() }
        return true
    }

    private mutating func forget(_ number: UInt64, at place: Place, of source: DeviceID) {
        let entry = held[place.origin]?[place.maker]?.removeValue(forKey: source)
        if held[place.origin]?[place.maker]?.isEmpty == true {
            held[place.origin]?[place.maker] = nil
        }
        if held[place.origin]?.isEmpty == true { held[place.origin] = nil }
        let lost = entry?.receipts.count ?? 0
        count -= lost
        brought[source]?.places[number] = nil
        brought[source]?.count -= lost
        if brought[source]?.places.isEmpty == true { brought[source] = nil }
    }

    /// Forgets the oldest half of what the neighbour brought that brought most.
    private mutating func forgetOldest() {
        let most = brought.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
        guard let (source, sets) = most.map({ ($0.key, $0.value.places) }) else { return }
        for number in sets.keys.sorted().prefix((sets.count + 1) / 2) {
            if let place = sets[number] { forget(number, at: place, of: source) }
        }
    }

    /// Marks all receipts for an origin to be sent again.
    ///
    /// - Returns: whether there are any.
    mutating func renew(_ origin: OriginID) -> Bool {
        guard let makers = held[origin] else { return false }
        held[origin] = makers.mapValues { sources in
            sources.mapValues { entry in
                var entry = entry
                for index in entry.receipts.indices { entry.receipts[index].isSent = false }
                return entry
            }
        }
        return true
    }

    /// The unsent receipts for an origin that can go to some of the neighbours `ways`, each with
    /// the neighbour that brought it.
    ///
    /// No receipt goes back. The receipts count as sent from now on.
    package mutating func takeUnsent(
        _ origin: OriginID,
        to ways: [DeviceID]
    ) -> [(receipt: Receipt, source: DeviceID?)] {
        guard var makers = held[origin] else { return [] }
        var unsent: [(receipt: Receipt, source: DeviceID?)] = []
        for maker in makers.keys.sorted() {
            for source in (makers[maker] ?? [:]).keys.sorted()
            where ways.contains(where: { $0 != source }) {
                guard var entry = makers[maker]?[source] else { continue }
                for index in entry.receipts.indices where !entry.receipts[index].isSent {
                    unsent.append((entry.receipts[index].receipt, source))
                    entry.receipts[index].isSent = true
                }
                makers[maker]?[source] = entry
            }
        }
        held[origin] = makers
        return unsent
    }

    /// Whether something for an origin was not sent on yet.
    func isAnyUnsent(_ origin: OriginID) -> Bool {
        held[origin]?.values.contains { sources in
            sources.values.contains { $0.receipts.contains { !$0.isSent } }
        } ?? false
    }
}
