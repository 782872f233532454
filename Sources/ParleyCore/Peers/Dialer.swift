/// Decides which addresses are dialled, and when.
package struct Dialer: Sendable {
    package private(set) var book: AddressBook
    /// The next moment at which a dial may be due, unless the book changes before.
    private var due: Moment?
    private var changes = Changes()
    /// The device that a person waits for, by the first eight bytes of its ID.
    private var awaited: UInt64?
    private let mayDial: @Sendable (_ told: String, _ link: String) -> Bool

    /// Changes after which members of the passive view may be promoted.
    package struct Changes: Sendable, Equatable {
        /// Whether all addresses were made due.
        package var areAllDue: Bool
        /// Whether an address was announced or withdrawn.
        package var areAnnouncementsNew: Bool

        package init(areAllDue: Bool = false, areAnnouncementsNew: Bool = false) {
            self.areAllDue = areAllDue
            self.areAnnouncementsNew = areAnnouncementsNew
        }
    }

    /// How a link ended.
    package enum Loss: Sendable, Equatable {
        /// There was no slot for the link, or the slot was taken back.
        case turnedAway(BusyWait.Need)
        /// The peer broke the protocol, and has to wait.
        case refused(until: Moment)
        /// The link led to a member, lasted a while, and may be needed.
        case member
        case other
    }

    /// A dialer with an empty book.
    ///
    /// `mayDial` decides about an address `told` by a peer, whose own address is `link`.
    package init(
        limits: Limits,
        mayDial: @escaping @Sendable (_ told: String, _ link: String) -> Bool = { _, _ in true }
    ) {
        self.mayDial = mayDial
        book = AddressBook(limits: limits)
    }

    /// The moment at which `dials` has something to do.
    package var deadline: Moment? { due }

    /// Starts dials to devices that need a link.
    ///
    /// Devices are given by the first eight bytes of their IDs: `linked` devices need no dial,
    /// `isBarred` devices get none, and `isReached` devices, reachable through others, lose their
    /// high priority. If `isFull`, this node has no free slot, and dials busy nodes only with high
    /// priority or for the only link. The closures are called only if a dial may be due.
    package mutating func dials(
        at now: Moment,
        linked: () -> [UInt64],
        isBarred: (UInt64) -> Bool = { _ in false },
        isReached: (UInt64) -> Bool = { _ in false },
        isFull: () -> Bool = { false }
    ) -> [Dial] {
        guard book.hasChanged || due.map({ $0 <= now }) ?? false else { return [] }
        let linked = linked()
        let isLinked = { (hint: UInt64) in linked.contains(hint) || isBarred(hint) }
        let isFull = isFull()
        let dials = book.dials(
            at: now,
            isLinked: isLinked,
            isReached: isReached,
            isFull: isFull
        )
        due = book.deadline(isLinked: isLinked, isFull: isFull)
        return dials
    }

    /// The addresses of a member that may be passed on to other peers.
    package func addresses(ofMember device: DeviceID) -> [PeerAddress] {
        book.entries.compactMap { entry in
            let text = entry.reached ?? entry.address
            guard entry.isMember, entry.device == device, isOfUse(text, on: text) else {
                return nil
            }
            return PeerAddress(device: device, address: text)
        }
    }

    /// Whether an address means the same machine here and at the other end of a link.
    private func isOfUse(_ text: String, on link: String) -> Bool {
        !FoundAddress.isLinkLocal(text) && mayDial(text, link)
    }

    // MARK: Addresses

    /// An earlier process had a link to this address.
    package mutating func remembered(_ address: RememberedAddress) {
        let found = FoundAddress(
            text: address.text,
            source: .remembered,
            device: address.device
        )
        book.found(found, at: .start)
    }

    /// An address was found, or found again.
    package mutating func found(_ address: FoundAddress, at now: Moment) {
        if address.source == .discovered { changes.areAnnouncementsNew = true }
        book.found(address, at: now)
    }

    /// A member told addresses of other members; `own` is the device of this node.
    package mutating func told(
        of peers: [PeerAddress],
        by remote: String,
        besides own: DeviceID,
        at now: Moment
    ) {
        for peer in peers where peer.device != own && isOfUse(peer.address, on: remote) {
            let found = FoundAddress(text: peer.address, source: .told, device: peer.device)
            book.found(found, at: now)
        }
    }

    /// A person waits for a device, or nobody waits any more.
    ///
    /// The known addresses of the device are due at once, and some become wanted as long as the
    /// person waits. `hint` is the first eight bytes of the device ID.
    package mutating func personAwaits(_ hint: UInt64?, at now: Moment) {
        guard hint != awaited else { return }
        if let awaited { book.personAwaitsNoMore(awaited) }
        if let hint { book.personAwaits(hint, at: now) }
        awaited = hint
    }

    /// An address is no longer announced.
    package mutating func lost(_ address: String) {
        changes.areAnnouncementsNew = true
        book.lost(address)
    }

    package mutating func networkChanged(at now: Moment) {
        changes.areAllDue = true
        book.networkChanged(at: now)
    }

    /// This node joined a conversation, so that any address may now lead to a member.
    package mutating func joined(at now: Moment) {
        changes.areAllDue = true
        book.retryAll(at: now)
    }

    /// Returns the changes of the addresses since the last call.
    package mutating func takeChanges() -> Changes {
        defer { changes = Changes() }
        return changes
    }

    /// The devices with an address that was not withdrawn, by the first eight bytes of their IDs.
    package var reachableHints: Set<UInt64> {
        Set(book.entries.filter { !$0.isWithdrawn && !$0.isSelf }.compactMap(\.hint))
    }

    // MARK: Links

    /// A link was opened, by a dial of this node or by the peer.
    ///
    /// `remote` is the numeric address that the dial reached.
    package mutating func linkOpened(
        _ dial: DialID?,
        to device: DeviceID,
        at now: Moment,
        reaching remote: String? = nil
    ) {
        if let dial { book.connected(dial, to: device, at: remote) }
        due = now
    }

    /// The peer at a dialled address has proved membership in a conversation.
    ///
    /// - Returns: the address to keep for the next start, if the proof is news.
    package mutating func memberProved(at address: String, device: DeviceID) -> String? {
        book.proved(address: address, device: device)
    }

    /// The peer at a dialled address shares no conversation with this node.
    package mutating func sharedNothing(at address: String) { book.sharesNothing(address) }

    /// A dialled address leads back to this node.
    package mutating func foundSelf(at address: String) { book.foundSelf(at: address) }

    /// A link does not answer: its device is dialled while the link stays open.
    package mutating func suspected(_ device: DeviceID, isMember: Bool, at now: Moment) {
        due = now
        book.retry(device.hint, isMember: isMember, at: now)
    }

    /// Links ended or answer again, so that other devices need a dial now.
    package mutating func linksChanged(at now: Moment) { due = now }

    /// The link from a dial has ended.
    package mutating func linkEnded(
        _ address: String,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        book.ended(address: address, at: now, random: &random)
    }

    /// A link to a device has ended, whichever side had dialled.
    package mutating func linkEnded(
        to device: DeviceID,
        _ loss: Loss,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        switch loss {
        case .turnedAway(let need): turnedAway(device, need, at: now, random: &random)
        case .refused(let until): book.wait(for: device, until: until)
        case .member: memberLost(device, at: now)
        case .other: break
        }
    }

    /// A link to a member has ended after a while: the addresses of the member are due at once.
    package mutating func memberLost(_ device: DeviceID, at now: Moment) {
        book.retry(device.hint, isMember: true, at: now)
    }

    /// A link has ended or was not begun, for want of a slot.
    package mutating func turnedAway(
        _ device: DeviceID,
        _ need: BusyWait.Need,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        book.turnedAway(device, need, at: now, random: &random)
    }

    /// A dial failed for a reason in words.
    package mutating func failed(
        _ dial: DialID,
        _ reason: String,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        book.failed(dial, reason, at: now, random: &random)
    }
}
