extension AddressBook {
    /// Dials to one address that failed, with none in between that led to a link.
    package struct Failure: Sendable, Equatable {
        /// The words for the last dial.
        package let reason: String
        package let dials: Int
        /// When the last dial failed.
        package let at: Moment
    }

    /// One address, and what is known of it.
    package struct Entry: Sendable {
        package let address: String
        package internal(set) var source: FoundAddress.Source
        /// The device that answered there, or should.
        package internal(set) var device: DeviceID?
        /// The first eight bytes of the ID of the device that should answer there, if it is known.
        package internal(set) var hint: UInt64?
        package internal(set) var deviceName: String?
        /// The number to which the address led when it was dialled last, if it is a name.
        var reached: String?
        /// Whether the device that answered there shares a conversation with this node.
        package internal(set) var isMember = false
        /// Whether it was announced, and is not any more.
        var isWithdrawn = false
        /// Whether it may lead to a member whose link ended or does not answer.
        var isAwaited = false
        /// Whether a person waits for its device.
        var isAwaitedByPerson = false
        /// Whether the address leads back to this node.
        var isSelf = false
        var dial: DialID?
        var backoff = Backoff()
        var busy = BusyWait()
        /// When it was dialled last.
        var dialledAt: Moment?
        /// Why the last dial failed; nil if it led to a link, and before the first one has ended.
        package internal(set) var failure: Failure?
        /// When the address may be dialled at the earliest.
        var due: Moment

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

        /// Whether its dial can wait until this node has a free slot.
        var isPatient: Bool {
            busy.need.map { $0 != .onlyLink && !busy.isHighPriority } ?? false
        }

        func isDue(at now: Moment, isLinked: (UInt64) -> Bool) -> Bool {
            guard dial == nil, !isSelf, due <= now else { return false }
            return hint.map { !isLinked($0) } ?? true
        }
    }
}
