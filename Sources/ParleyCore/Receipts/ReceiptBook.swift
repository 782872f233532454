/// The devices with messages of this node, by their receipts in a conversation.
package struct ReceiptBook: Sendable {
    private struct Reporter {
        let device: DeviceID
        let key: Bytes32
        let seal: ReceiptSeal
    }

    /// By the names of the devices in their receipts.
    private var reporters: [UInt64: Reporter] = [:]
    private var devices: Set<DeviceID> = []
    /// How many origins and devices were known when they were last looked at.
    private var met = 0
    /// The names of devices that became known since `takeOpenable`, and whose receipts wait.
    private var openable: Set<UInt64> = []
    /// The latest receipts that could not be opened, perhaps as their keys, or the keys of their
    /// devices, have not come here yet.
    private var unopened: [(origin: OriginID, receipt: Receipt)] = []
    /// For each origin of this node, what each device has.
    private var stored: [OriginID: [DeviceID: SequenceRuns]] = [:]

    package init() {}

    /// The devices that have a message of this node on disk.
    package func count(of dot: Dot) -> Int {
        stored[dot.origin]?.values.count { $0.contains(dot.sequence) } ?? 0
    }

    /// The devices that have any of the messages of one origin.
    func count(of sequences: [UInt64], by origin: OriginID) -> Int {
        stored[origin]?.values.count { runs in sequences.contains { runs.contains($0) } } ?? 0
    }

    /// The devices that have proven to be readers by a receipt.
    package var provenReaders: Set<DeviceID> { Set(stored.values.lazy.flatMap(\.keys)) }

    /// Takes a receipt for an origin of this node.
    ///
    /// - Returns: the device, if the receipt tells anything new of it.
    mutating func take(
        _ receipt: Receipt,
        of origin: OriginID,
        in conversation: Conversation,
        _ members: MemberTable,
        using crypto: some Cryptography
    ) -> DeviceID? {
        let keys = conversation.keys
        guard let reporter = reporter(of: receipt, conversation, members, crypto),
            let runs = reporter.seal.opened(receipt, of: origin, using: crypto)
        else {
            if let key = ReceiptSeal.introduced(by: receipt, to: origin, keys: keys, using: crypto)
            {
                meet(key, as: receipt.device, isWriter: false, in: conversation, using: crypto)
            } else {
                keepUnopened(receipt, of: origin)
            }
            return nil
        }
        var known = stored[origin]?[reporter.device] ?? SequenceRuns()
        let before = known
        // Nobody can have what was not written yet.
        let isPresent = conversation.isPresent(origin)
        let end = isPresent ? conversation.ownSequences.next : Limits.sequenceEnd
        for run in runs where run.upperBound < end { known.insert(run) }
        let isPlace = before != SequenceRuns() || stored[origin]?.count ?? 0 < Limits.receiptDevices
        guard known != before, isPlace else { return nil }
        stored[origin, default: [:]][reporter.device] = known
        return reporter.device
    }

    /// The write of what a device has of an origin of this node.
    func write(of device: DeviceID, _ origin: OriginID, in conversation: UInt32) -> StoreWrite? {
        guard let key = reporters.values.first(where: { $0.device == device })?.key,
            let runs = stored[origin]?[device]?.runs
        else { return nil }
        let record = Slice(key.bytes + SequenceRuns.pack(runs))
        return .member(conversation: conversation, .receipts(of: origin, by: device), record)
    }

    private mutating func keepUnopened(_ receipt: Receipt, of origin: OriginID) {
        if unopened.count == Limits.receiptsUnopened { unopened.removeFirst() }
        unopened.append((origin, receipt))
    }

    /// Forgets the seals of earlier keys.
    ///
    /// - Returns: the receipts that perhaps can be opened now.
    mutating func keysChanged() -> [(origin: OriginID, receipt: Receipt)] {
        (reporters, devices, met, openable) = ([:], [], 0, [])
        defer { unopened = [] }
        return unopened
    }

    /// Whether receipts wait of which the devices have become known.
    var canOpen: Bool { !openable.isEmpty }

    /// Takes out the receipts whose devices have become known.
    mutating func takeOpenable() -> [(origin: OriginID, receipt: Receipt)] {
        guard canOpen else { return [] }
        let found = unopened.filter { openable.contains($0.receipt.device) }
        unopened.removeAll { openable.contains($0.receipt.device) }
        openable = []
        return found
    }

    /// A first message of an origin is here, which tells the key of its device.
    mutating func met(
        _ origin: OriginRecord,
        in conversation: Conversation,
        using crypto: some Cryptography
    ) {
        guard !unopened.isEmpty else { return }
        meet(origin.host?.deviceKey ?? origin.deviceKey, in: conversation, using: crypto)
    }

    /// Whoever made a receipt, as far as its name tells.
    private mutating func reporter(
        of receipt: Receipt,
        _ conversation: Conversation,
        _ members: MemberTable,
        _ crypto: some Cryptography
    ) -> Reporter? {
        if let known = reporters[receipt.device] { return known }
        let origins = conversation.origins.values
        let count = origins.count + (members.known[conversation.number]?.count ?? 0)
        guard count != met else { return nil }
        met = count
        // Sorted, as the order decides who is left out at the limit.
        for key in Set(origins.map { $0.record.host?.deviceKey ?? $0.record.deviceKey }).sorted() {
            meet(key, in: conversation, using: crypto)
        }
        // The origin of a device may be unknown here, if all its messages were replaced.
        for device in members.list(conversation, crypto) where device.role != .relay {
            meet(device.key, isWriter: false, in: conversation, using: crypto)
        }
        return reporters[receipt.device]
    }

    /// Finds out the name of a device in its receipts.
    ///
    /// A device that introduces itself is met if it has the name `id`. Half of the places are for
    /// devices with an origin, as a reader can invent others.
    private mutating func meet(
        _ key: Bytes32,
        as id: UInt64? = nil,
        isWriter: Bool = true,
        in conversation: Conversation,
        using crypto: some Cryptography
    ) {
        let device = DeviceID(publicKey: key, using: crypto)
        guard device != conversation.device, !devices.contains(device),
            devices.count < (isWriter ? Limits.receiptDevices : Limits.receiptDevices / 2)
        else { return }
        let seal = ReceiptSeal(
            of: device,
            for: conversation.device,
            otherKey: key,
            keys: conversation.keys,
            using: crypto
        )
        guard id == nil || seal?.id == id else { return }
        devices.insert(device)
        guard let seal else { return }
        reporters[seal.id] = Reporter(device: device, key: key, seal: seal)
        if unopened.contains(where: { $0.receipt.device == seal.id }) { openable.insert(seal.id) }
    }

    /// Takes back what was written.
    mutating func recover(_ record: Slice, of origin: OriginID, by device: DeviceID) {
        guard record.count >= Bytes32.count,
            let runs = SequenceRuns.unpack(record[Bytes32.count..<record.count])
        else { return }
        var known = SequenceRuns()
        for run in runs { known.insert(run) }
        stored[origin, default: [:]][device] = known
    }
}
