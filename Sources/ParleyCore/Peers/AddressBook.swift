/// The addresses that may lead to peers, from all sources, and the times of their next dials.
package struct AddressBook: Sendable {
    /// The entries in the order of their addresses.
    package private(set) var entries: [Entry] = [] {
        didSet { hasChanged = true }
    }
    /// Whether an entry has changed since `deadline` was last called.
    package private(set) var hasChanged = true
    private var dialsMade: UInt64 = 0
    private var strangerDials: [Moment] = []
    private let limits: Limits

    package init(limits: Limits) {
        self.limits = limits
    }

    /// An address was found, or found again.
    package mutating func found(_ found: FoundAddress, at now: Moment) {
        if let index = index(of: found.text) {
            entries[index].source = max(entries[index].source, found.source)
            if entries[index].device == nil {
                entries[index].device = found.device
                entries[index].hint = found.hint
            }
            if let name = found.deviceName { entries[index].deviceName = name }
            // An address from a peer is no news, and must not shorten a wait.
            if found.source != .told {
                entries[index].retry(at: now)
                entries[index].isWithdrawn = false
            }
            return
        }
        guard mayAdd(found), freeCapacity(for: found.source) else { return }
        let index = entries.firstIndex { $0.address > found.text } ?? entries.count
        let entry = Entry(
            address: found.text,
            source: found.source,
            device: found.device,
            hint: found.hint,
            deviceName: found.deviceName,
            isMember: found.source == .remembered,
            due: now
        )
        entries.insert(entry, at: index)
    }

    /// An address is no longer announced, and is forgotten unless wanted or being dialled.
    package mutating func lost(_ address: String) {
        guard let index = index(of: address) else { return }
        entries[index].isWithdrawn = true
        guard !entries[index].isWanted, entries[index].dial == nil else { return }
        entries.remove(at: index)
    }

    /// Makes all addresses due at once.
    package mutating func retryAll(at now: Moment) {
        for index in entries.indices { entries[index].retry(at: now) }
    }

    /// The network changed: an address that led back to this node may lead elsewhere.
    package mutating func networkChanged(at now: Moment) {
        for index in entries.indices { entries[index].isSelf = false }
        retryAll(at: now)
    }

    /// Makes the addresses of a device due at once.
    ///
    /// From then on, some addresses of a member are dialled as often as proven ones, even if only
    /// the peer has dialled so far. Others are not, because anybody can announce an address in the
    /// name of another device.
    ///
    /// `hint` is the first eight bytes of the ID of the device.
    package mutating func retry(_ hint: UInt64, isMember: Bool, at now: Moment) {
        let indices = entries.indices.filter { entries[$0].hint == hint }
        for index in indices { entries[index].retry(at: now) }
        guard isMember else { return }
        for index in indices.prefix(Self.awaitedMax) { entries[index].isAwaited = true }
    }

    /// A person waits for a device: its known addresses are due at once, and some become wanted.
    package mutating func personAwaits(_ hint: UInt64, at now: Moment) {
        retry(hint, isMember: false, at: now)
        let indices = entries.indices.filter { entries[$0].hint == hint }
        for index in indices.prefix(Self.awaitedMax) { entries[index].isAwaitedByPerson = true }
    }

    /// Nobody waits for the device any more.
    package mutating func personAwaitsNoMore(_ hint: UInt64) {
        change(where: { $0.hint == hint }) { $0.isAwaitedByPerson = false }
        entries.removeAll { $0.hint == hint && $0.isWithdrawn && !$0.isWanted && $0.dial == nil }
    }

    /// The number of unproven addresses of one device that are dialled often.
    private static var awaitedMax: Int { 8 }

    /// A dial ended in a link to `device`, at the numeric address `remote`.
    package mutating func connected(_ dial: DialID, to device: DeviceID, at remote: String? = nil) {
        guard let index = entries.firstIndex(where: { $0.dial == dial }) else { return }
        entries[index].lastDial?.isUnderWay = false
        entries[index].failure = nil
        if entries[index].hint != device.hint {
            entries[index].isAwaited = false
            entries[index].busy = BusyWait()
        }
        entries[index].device = device
        entries[index].hint = device.hint
        entries[index].reached = remote
    }

    /// The device at a dialled address has proved membership in a conversation.
    ///
    /// - Returns: the address, if the proof is news.
    package mutating func proved(address: String, device: DeviceID) -> String? {
        guard let index = index(of: address) else { return nil }
        let isNew = !entries[index].isMember || entries[index].device != device
        entries[index].device = device
        entries[index].hint = device.hint
        entries[index].isMember = true
        entries[index].backoff = Backoff()
        return isNew ? address : nil
    }

    /// The address leads back to this node.
    package mutating func foundSelf(at address: String) {
        guard let index = index(of: address) else { return }
        entries[index].isSelf = true
    }

    /// The device at the address shares no conversation with this node: unless a person gave the
    /// address, it is dialled as rarely as a stranger's.
    package mutating func sharesNothing(_ address: String) {
        guard let index = index(of: address) else { return }
        if entries[index].source == .remembered { entries[index].source = .discovered }
        entries[index].isMember = false
        entries[index].isAwaited = false
    }

    /// The link from a dial has ended.
    package mutating func ended(
        address: String,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        guard let index = index(of: address) else { return }
        wait(index, from: now, at: now, random: &random)
    }

    /// A dial failed.
    ///
    /// The wait before the next dial to a wanted address counts from the start of the failed dial,
    /// so that a dial that timed out is soon repeated.
    package mutating func failed(
        _ dial: DialID,
        _ reason: String,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        guard let index = entries.firstIndex(where: { $0.dial == dial }) else { return }
        let dials = (entries[index].failure?.dials ?? 0) + 1
        entries[index].failure = Failure(reason: reason, dials: dials, at: now)
        let start = entries[index].isWanted ? entries[index].lastDial?.at ?? now : now
        wait(index, from: start, at: now, random: &random)
    }

    private mutating func wait(
        _ index: Int,
        from start: Moment,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        entries[index].lastDial?.isUnderWay = false
        let isWanted = entries[index].isWanted
        entries[index].due =
            start + entries[index].backoff.next(isWanted: isWanted, at: now, using: &random)
    }

    /// Changes the entries that meet a condition.
    mutating func change(where isMeant: (Entry) -> Bool, _ body: (inout Entry) -> Void) {
        for index in entries.indices where isMeant(entries[index]) { body(&entries[index]) }
    }

    /// Starts the dials that are due, to wanted addresses first.
    ///
    /// Devices are given by the first eight bytes of their IDs: `isLinked` devices need no dial,
    /// and `isReached` devices, reachable through others, lose their high priority. If `isFull`,
    /// this node has no free slot, and dials busy nodes only with high priority or for the only
    /// link.
    package mutating func dials(
        at now: Moment,
        isLinked: (UInt64) -> Bool,
        isReached: (UInt64) -> Bool = { _ in false },
        isFull: Bool = false
    ) -> [Dial] {
        lowerPriority(at: now, isReached: isReached)
        var dials: [Dial] = []
        var underWay = entries.count { $0.dial != nil }
        var starts = firstDials()
        strangerDials.removeAll { $0 + .seconds(1) <= now }
        // Wanted addresses come first: when dials are limited, strangers wait.
        for wanted in [true, false] {
            for index in due(at: now, wanted: wanted, isLinked: isLinked)
            where !(isFull && entries[index].isPatient) {
                guard underWay < limits.dials else { return dials }
                if let hint = entries[index].hint {
                    if let start = starts[hint], start + Self.headStart > now { continue }
                    starts[hint] = starts[hint] ?? now
                }
                if !wanted {
                    guard strangerDials.count < limits.strangerDialsPerSecond else { break }
                    strangerDials.append(now)
                }
                dialsMade += 1
                underWay += 1
                let dial = Dial(id: DialID(dialsMade), address: entries[index].address)
                entries[index].lastDial = LastDial(id: dial.id, at: now)
                dials.append(dial)
            }
        }
        return dials
    }

    /// When to call `dials` again, unless an entry changes before.
    package mutating func deadline(
        isLinked: (UInt64) -> Bool,
        isFull: Bool = false
    ) -> Moment? {
        hasChanged = false
        // At the limit of dials, the next one starts when a dial ends, which changes an entry.
        guard entries.count(where: { $0.dial != nil }) < limits.dials else { return nil }
        let starts = firstDials()
        var deadline: Moment?
        for entry in entries where entry.dial == nil && !entry.isSelf {
            if let hint = entry.hint, isLinked(hint) { continue }
            if isFull, entry.isPatient { continue }
            var due = entry.due
            if let start = entry.hint.flatMap({ starts[$0] }) {
                due = max(due, start + Self.headStart)
            }
            if !entry.isWanted, strangerDials.count >= limits.strangerDialsPerSecond,
                let first = strangerDials.first
            {
                due = max(due, first + .seconds(1))
            }
            deadline = min(deadline ?? due, due)
        }
        return deadline
    }

    /// How long one address of a device is tried alone.
    ///
    /// Dials to several addresses would make several links to the same device, of which all but one
    /// are closed.
    private static var headStart: Interval { .milliseconds(250) }

    /// The start of the earliest dial under way, for each device.
    private func firstDials() -> [UInt64: Moment] {
        var starts: [UInt64: Moment] = [:]
        for entry in entries where entry.dial != nil {
            guard let hint = entry.hint, let start = entry.lastDial?.at else { continue }
            starts[hint] = min(starts[hint] ?? start, start)
        }
        return starts
    }

    /// The indices of the due entries, in the order in which they became due.
    private func due(at now: Moment, wanted: Bool, isLinked: (UInt64) -> Bool) -> [Int] {
        entries.indices
            .filter {
                entries[$0].isWanted == wanted && entries[$0].isDue(at: now, isLinked: isLinked)
            }
            .sorted { (entries[$0].due, $0) < (entries[$1].due, $1) }
    }

    /// The entry of an address.
    package func entry(at address: String) -> Entry? { index(of: address).map { entries[$0] } }

    private func index(of address: String) -> Int? {
        entries.firstIndex { $0.address == address }
    }

    /// The number of addresses of one device that are kept on the word of peers.
    private static var toldMax: Int { 4 }

    /// Whether an address may be added.
    ///
    /// At the limit, a told address replaces the told address of the device with the oldest dial
    /// that led to no member.
    private mutating func mayAdd(_ found: FoundAddress) -> Bool {
        guard found.source == .told else { return true }
        let told = entries.indices.filter {
            entries[$0].source == .told && entries[$0].hint == found.hint
        }
        guard told.count >= Self.toldMax else { return true }
        let vain = told.filter { entries[$0].dial == nil && !entries[$0].isMember }
            .compactMap { index in entries[index].lastDial.map { (index, $0.at) } }
        guard let oldest = vain.min(by: { $0.1 < $1.1 }) else { return false }
        entries.remove(at: oldest.0)
        return true
    }

    /// Frees capacity for one more address, at the cost of an unwanted address if necessary.
    ///
    /// Told addresses are forgotten first. An announced address is never forgotten for a told one:
    /// a peer may tell any number of addresses, and an announcement is not repeated.
    private mutating func freeCapacity(for source: FoundAddress.Source) -> Bool {
        guard entries.count >= limits.addresses else { return true }
        let unwanted = entries.indices.filter { !entries[$0].isWanted && entries[$0].dial == nil }
        let told = unwanted.first { entries[$0].source == .told }
        guard let index = told ?? (source == .told ? nil : unwanted.first) else { return false }
        entries.remove(at: index)
        return true
    }
}
