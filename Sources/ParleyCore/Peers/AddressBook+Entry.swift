extension AddressBook {
    /// The dials to an address that failed since the last link.
    package struct Failure: Sendable, Equatable {
        /// The reason of the last failure, in words.
        package let reason: String
        package let dials: Int
        /// When the last dial failed.
        package let at: Moment
    }

    /// The last dial to an address.
    struct LastDial: Sendable {
        let id: DialID
        let at: Moment
        var isUnderWay = true
    }

    /// An address, and the state of dials to it.
    package struct Entry: Sendable {
        package let address: String
        package internal(set) var source: FoundAddress.Source
        /// The device that answered at the address, or should answer.
        package internal(set) var device: DeviceID?
        /// The first eight bytes of the ID of the expected device, if known.
        package internal(set) var hint: UInt64?
        package internal(set) var deviceName: String?
        /// The numeric address that the last dial of a name reached.
        var reached: String?
        /// Whether the device at the address shares a conversation with this node.
        package internal(set) var isMember = false
        /// Whether the announcement of the address was withdrawn.
        var isWithdrawn = false
        /// Whether the address may lead to a member whose link ended or does not answer.
        var isAwaited = false
        /// Whether a person waits for the device.
        var isAwaitedByPerson = false
        /// Whether the address leads back to this node.
        var isSelf = false
        var lastDial: LastDial?
        var backoff = Backoff()
        var busy = BusyWait()
        /// The failed dials since the last link; nil before the first failure.
        package internal(set) var failure: Failure?
        /// When the address may be dialled at the earliest.
        var due: Moment

        /// The dial that is under way.
        var dial: DialID? { lastDial.flatMap { $0.isUnderWay ? $0.id : nil } }
        /// Whether a dial is under way.
        package var isDialled: Bool { dial != nil }

        /// Members and configured addresses are dialled again soon, strangers rarely.
        var isWanted: Bool {
            isMember || isAwaited || isAwaitedByPerson || source >= .remembered
        }

        mutating func retry(at now: Moment) {
            backoff = Backoff()
            busy = BusyWait()
            due = now
        }

        /// Whether a dial can wait until this node has a free slot.
        var isPatient: Bool {
            busy.need.map { $0 != .onlyLink && !busy.isHighPriority } ?? false
        }

        func isDue(at now: Moment, isLinked: (UInt64) -> Bool) -> Bool {
            guard dial == nil, !isSelf, due <= now else { return false }
            return hint.map { !isLinked($0) } ?? true
        }
    }
}
