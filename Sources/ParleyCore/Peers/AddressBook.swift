/// The addresses that may lead to peers, and when each is dialled: the one table and one dialer
/// behind discovery, configuration, memory and what peers tell.
package struct AddressBook: Sendable {
    /// An address as it is known.
    package struct Entry: Sendable {
        package let address: String
        package internal(set) var source: FoundAddress.Source
        /// Who answered there, or who should.
        package internal(set) var device: DeviceID?
        /// The first eight bytes of the device ID of who should answer there, if anybody said.
        package internal(set) var hint: UInt64?
        package internal(set) var deviceName: String?
        package internal(set) var isLinkLocal: Bool
        /// Whether whoever answered shares a conversation with this node.
        package internal(set) var isMember = false
        /// Whether a member who was linked, and does not answer, should be there.
        var isAwaited = false
        /// Whether it leads back to this node.
        var isSelf = false
        var dial: DialID?
        var backoff = Backoff()
        /// When it was dialled last.
        var dialledAt: Moment?
        /// Not before this moment.
        var due: Moment

        /// Whether a dial is under way.
        package var isDialled: Bool { dial != nil }

        /// Members and configured addresses are dialled again soon, strangers rarely.
        var isWanted: Bool { isMember || isAwaited || source >= .remembered }
    }

    /// The entries in the order of their addresses.
    package private(set) var entries: [Entry] = [] {
        didSet { hasChanged = true }
    }
    /// Whether an entry is another one since `deadline` was asked for.
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
            entries[index].isLinkLocal = found.isLinkLocal
            entries[index].retry(at: now)
            return
        }
        guard makeRoom() else { return }
        let place = entries.firstIndex { $0.address > found.text } ?? entries.count
        let entry = Entry(
            address: found.text,
            source: found.source,
            device: found.device,
            hint: found.hint,
            deviceName: found.deviceName,
            isLinkLocal: found.isLinkLocal,
            isMember: found.source == .remembered,
            due: now
        )
        entries.insert(entry, at: place)
    }

    /// An address is no longer announced: one that nobody else vouches for is forgotten.
    package mutating func lost(_ address: String) {
        guard let index = index(of: address), !entries[index].isWanted,
            entries[index].dial == nil
        else { return }
        entries.remove(at: index)
    }

    /// Everything is worth another try at once.
    package mutating func retryAll(at now: Moment) {
        for index in entries.indices { entries[index].retry(at: now) }
    }

    /// The network is another one: what led back to this node may lead elsewhere.
    package mutating func networkChanged(at now: Moment) {
        for index in entries.indices { entries[index].isSelf = false }
        retryAll(at: now)
    }

    /// The addresses of `device` are worth another try at once.
    ///
    /// Those of a member are then dialled as a member's, even if it was always the other side that
    /// dialled; not all of them, for anybody can announce an address in the name of another.
    package mutating func retry(_ device: DeviceID, isMember: Bool, at now: Moment) {
        let indices = entries.indices.filter { entries[$0].hint == device.hint }
        for index in indices { entries[index].retry(at: now) }
        guard isMember else { return }
        for index in indices.prefix(Self.awaitedMax) { entries[index].isAwaited = true }
    }

    /// Addresses of one device that are dialled as a member's because it was announced there.
    private static var awaitedMax: Int { 8 }

    /// A dial ended in a link to `device`.
    package mutating func connected(_ dial: DialID, to device: DeviceID) {
        guard let index = entries.firstIndex(where: { $0.dial == dial }) else { return }
        entries[index].dial = nil
        if entries[index].hint != device.hint { entries[index].isAwaited = false }
        entries[index].device = device
        entries[index].hint = device.hint
    }

    /// The peer of a link that `dial` made shares a conversation.
    ///
    /// - Returns: the address, if it was not known to work before.
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
    package mutating func isSelf(_ address: String) {
        guard let index = index(of: address) else { return }
        entries[index].isSelf = true
    }

    /// Whoever is at the address is in none of this node's conversations.
    package mutating func sharesNothing(_ address: String) {
        guard let index = index(of: address) else { return }
        entries[index].isMember = false
        entries[index].isAwaited = false
    }

    /// Whether a link to `device` is being made.
    package func isDialling(_ device: DeviceID) -> Bool {
        entries.contains { $0.dial != nil && $0.hint == device.hint }
    }

    /// The link that a dial had made has ended.
    package mutating func ended(
        address: String,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        guard let index = index(of: address) else { return }
        wait(index, from: now, at: now, random: &random)
    }

    /// A dial came to nothing.
    ///
    /// Where a member should be, the time that it took counts as a part of the wait: an attempt
    /// that nobody answers is started anew.
    package mutating func failed(
        _ dial: DialID,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        guard let index = entries.firstIndex(where: { $0.dial == dial }) else { return }
        let start = entries[index].isWanted ? entries[index].dialledAt ?? now : now
        wait(index, from: start, at: now, random: &random)
    }

    private mutating func wait(
        _ index: Int,
        from start: Moment,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        entries[index].dial = nil
        let isWanted = entries[index].isWanted
        entries[index].due =
            start + entries[index].backoff.next(isWanted: isWanted, at: now, using: &random)
    }

    /// The dials to make now; `isLinked` says whether a device, named by
    /// its first eight bytes, needs none.
    package mutating func dials(at now: Moment, isLinked: (UInt64) -> Bool) -> [Dial] {
        var dials: [Dial] = []
        var underWay = entries.count { $0.dial != nil }
        var starts = firstDials()
        strangerDials.removeAll { $0 + .seconds(1) <= now }
        // Those who count first: when places are short, strangers wait.
        for wanted in [true, false] {
            for index in due(at: now, wanted: wanted, isLinked: isLinked) {
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
                entries[index].dial = dial.id
                entries[index].dialledAt = now
                dials.append(dial)
            }
        }
        return dials
    }

    /// When to look again, unless an entry changes before.
    package mutating func deadline(isLinked: (UInt64) -> Bool) -> Moment? {
        hasChanged = false
        // When all places are taken, the end of a dial makes one.
        guard entries.count(where: { $0.dial != nil }) < limits.dials else { return nil }
        let starts = firstDials()
        var deadline: Moment?
        for entry in entries where entry.dial == nil && !entry.isSelf {
            if let hint = entry.hint, isLinked(hint) { continue }
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
    /// Each that answers makes a link, and all but one are closed again, after both carried the
    /// same.
    private static var headStart: Interval { .milliseconds(250) }

    /// When the first of the dials that are under way to a device was made.
    private func firstDials() -> [UInt64: Moment] {
        var starts: [UInt64: Moment] = [:]
        for entry in entries where entry.dial != nil {
            guard let hint = entry.hint, let start = entry.dialledAt else { continue }
            starts[hint] = min(starts[hint] ?? start, start)
        }
        return starts
    }

    /// The entries to dial now, those first that have waited longest.
    private func due(at now: Moment, wanted: Bool, isLinked: (UInt64) -> Bool) -> [Int] {
        entries.indices
            .filter {
                entries[$0].isWanted == wanted && entries[$0].isDue(at: now, isLinked: isLinked)
            }
            .sorted { (entries[$0].due, $0) < (entries[$1].due, $1) }
    }

    private func index(of address: String) -> Int? {
        entries.firstIndex { $0.address == address }
    }

    /// Makes place for one more, if need be by forgetting a stranger.
    private mutating func makeRoom() -> Bool {
        guard entries.count >= limits.addresses else { return true }
        guard let index = entries.firstIndex(where: { !$0.isWanted && $0.dial == nil }) else {
            return false
        }
        entries.remove(at: index)
        return true
    }
}

extension AddressBook.Entry {
    fileprivate mutating func retry(at now: Moment) {
        backoff = Backoff()
        due = now
    }

    fileprivate func isDue(at now: Moment, isLinked: (UInt64) -> Bool) -> Bool {
        guard dial == nil, !isSelf, due <= now else { return false }
        return hint.map { !isLinked($0) } ?? true
    }
}
