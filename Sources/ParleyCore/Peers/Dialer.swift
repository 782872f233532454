/// Who is dialled, and when: the addresses that may lead to peers, and which devices have a link.
package struct Dialer: Sendable {
    package private(set) var book: AddressBook
    /// When to look whom to dial, if the book does not change before.
    private var due: Moment?

    package init(limits: Limits) {
        book = AddressBook(limits: limits)
    }

    /// When `dials` has something to do.
    package var deadline: Moment? { due }

    /// The dials to make now: devices that should be linked and are not, or do not answer.
    ///
    /// `linked` names the devices that need none, by the first eight bytes of their IDs; it is
    /// asked only if there is something to look for.
    package mutating func dials(at now: Moment, linked: () -> [UInt64]) -> [Dial] {
        guard book.hasChanged || due.map({ $0 <= now }) ?? false else { return [] }
        let linked = linked()
        let dials = book.dials(at: now) { linked.contains($0) }
        due = book.deadline { linked.contains($0) }
        return dials
    }

    /// Whether a link to `device` is being made.
    package func isDialling(_ device: DeviceID) -> Bool { book.isDialling(device) }

    /// The addresses of a member that others may be told.
    package func addresses(ofMember device: DeviceID) -> [PeerAddress] {
        book.entries.compactMap { entry in
            guard entry.isMember, entry.device == device, !entry.isLinkLocal else { return nil }
            return PeerAddress(device: device, address: entry.address)
        }
    }

    // MARK: Addresses

    /// An earlier process was linked at this address.
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
        book.found(address, at: now)
    }

    package mutating func lost(_ address: String) { book.lost(address) }

    package mutating func networkChanged(at now: Moment) { book.networkChanged(at: now) }

    /// This node is in one more conversation, so that whoever is around may be a member.
    package mutating func joined(at now: Moment) { book.retryAll(at: now) }

    // MARK: Links

    /// A link was opened, by a dial of this node or by the peer.
    package mutating func linkOpened(_ dial: DialID?, to device: DeviceID, at now: Moment) {
        if let dial { book.connected(dial, to: device) }
        due = now
    }

    /// The peer at an address that was dialled shares a conversation.
    ///
    /// - Returns: the address to keep for the next start, if it was not known to work before.
    package mutating func memberProved(at address: String, device: DeviceID) -> String? {
        book.proved(address: address, device: device)
    }

    /// The peer at an address that was dialled is in none of this node's conversations.
    package mutating func sharedNothing(at address: String) { book.sharesNothing(address) }

    /// An address that was dialled leads back to this node.
    package mutating func foundSelf(at address: String) { book.isSelf(address) }

    /// A link does not answer: the device is dialled beside it.
    package mutating func suspected(_ device: DeviceID, isMember: Bool, at now: Moment) {
        due = now
        book.retry(device, isMember: isMember, at: now)
    }

    /// Links ended, or answer again, so that other devices are linked now.
    package mutating func linksChanged(at now: Moment) { due = now }

    /// A link to an address that was dialled has ended.
    package mutating func linkEnded(
        _ address: String,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        book.ended(address: address, at: now, random: &random)
    }

    /// A member's link has ended that was not a mistake: its addresses are tried at once.
    package mutating func memberLost(_ device: DeviceID, at now: Moment) {
        book.retry(device, isMember: true, at: now)
    }

    /// A dial came to nothing.
    package mutating func failed(
        _ dial: DialID,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        book.failed(dial, at: now, random: &random)
    }
}
