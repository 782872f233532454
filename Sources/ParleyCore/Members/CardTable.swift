/// The latest cards of the devices of a conversation.
package struct CardTable: Sendable {
    /// A card as it came here.
    package struct Held: Sendable {
        package fileprivate(set) var card: Card
        /// The text of the card, if this device can read the text.
        package let text: CardText?
        fileprivate(set) var cameAt: Moment
        /// The device that passed the card on.
        package fileprivate(set) var via: DeviceID
        /// Whether the card proves the role, as far as that can be told here.
        package let isProven: Bool
        /// When the device may again be news as often as any.
        fileprivate(set) var settled = Moment.start

        /// Since when nobody has heard of the device, as far as is known here.
        package func silence(at now: Moment) -> Interval {
            now - cameAt + .seconds(Int64(card.age))
        }

        func aged(at now: Moment) -> Card { card.aged(by: now - cameAt) }

        /// Whether the device has not left, and is not late with its next card.
        package func isPresent(at now: Moment) -> Bool {
            !card.isLeaving && silence(at: now) < CardTable.freshness
        }
    }

    /// The cards of other devices.
    package private(set) var held: [DeviceID: Held] = [:]
    /// The last card of this device, and its moment.
    private var own: (card: Card, madeAt: Moment)?
    /// When to make the next one; nil until a link begins.
    private var due: Moment?
    private var numbers = ReservedNumbers()
    /// The devices whose cards are gathered here to be passed on together, and when they are.
    private var gathered: (devices: Set<DeviceID>, due: Moment)?
    /// The numbers of cards of otherwise unknown devices that links brought.
    private var brought: [LinkID: Int] = [:]

    /// The time between two cards of a device, and the part of it that chance decides.
    static let pause = Interval.seconds(240)
    static let pauseChance = Interval.seconds(120)
    /// How long cards are gathered that tell people nothing new.
    static let gathering = Interval.seconds(30)
    /// How often one device may be news.
    static let newsPause = Interval.seconds(10)
    static let newsAtOnce: Int64 = 4
    /// How long a card says that its device is there.
    package static let freshness = Interval.seconds(480)

    package init() {}

    /// Continues behind the numbers of former cards.
    mutating func recover(_ record: Slice) { numbers = ReservedNumbers(record: record) }

    // MARK: The card of this device

    /// When to make a card, or to reserve numbers for that, or to pass on what was gathered; a
    /// reservation is not waited for.
    var deadline: Moment? {
        var next = Earliest()
        next.add(gathered?.due)
        if !numbers.isReserving { next.add(due) }
        return next.moment
    }

    /// Whether numbers have come to the disk, or something is due.
    func isDue(_ committed: Ticket, at now: Moment) -> Bool {
        numbers.isReserving && numbers.isDue(committed) || deadline.map { $0 <= now } ?? false
    }

    var isReserving: Bool { numbers.isReserving }

    /// A link began.
    mutating func linked(at now: Moment) { due = due ?? now }

    /// Makes another card due, as the content of the last one is out of date.
    mutating func renew(at now: Moment) { if due != nil { due = now } }

    /// Takes note of the numbers on disk, and reserves more if some are needed.
    ///
    /// `next` is the ticket of the commit that will write a reservation.
    mutating func reserve(
        in conversation: UInt32,
        committed: Ticket,
        next: Ticket
    ) -> StoreWrite? {
        _ = numbers.committed(committed)
        return numbers.reserve(.cardNumber, in: conversation, with: next)
    }

    /// The number of the next card; nil if none is due, or no number is on disk.
    mutating func takeNumber(
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) -> UInt64? {
        guard let due, due <= now, let number = numbers.take() else { return nil }
        let chance = Int64.random(in: 0..<Self.pauseChance.nanoseconds, using: &random)
        self.due = now + Self.pause + Interval(nanoseconds: chance)
        return number
    }

    mutating func made(_ card: Card, at now: Moment) { own = (card, now) }

    // MARK: The cards of others

    /// Whether a card is later than what is known of its device, and there is a place.
    ///
    /// Devices that no link and no message has shown take at most half of the places, and a few of
    /// one link.
    func wants(_ card: Card, of device: DeviceID, isKnown: Bool, on link: LinkID) -> Bool {
        if let known = held[device] { return known.card.number < card.number }
        guard !isKnown else { return held.count < Limits.knownDevices }
        return held.count < Limits.knownDevices / 2 && brought[link] ?? 0 < Limits.cardsPerLink
    }

    /// Keeps a card, and has it passed on with others unless it is news.
    ///
    /// - Returns: whether people see a difference; no device is news too often.
    mutating func keep(
        _ new: Held,
        of device: DeviceID,
        isKnown: Bool,
        from link: LinkID
    ) -> Bool {
        let now = new.cameAt
        var new = new
        let before = held[device]
        let isNews =
            before.map {
                $0.isPresent(at: now) != new.isPresent(at: now)
                    || ($0.text, $0.card.role) != (new.text, new.card.role)
            } ?? true
        new.settled = max(before?.settled ?? now, now)
        let isAtOnce = isNews && new.settled - now <= Self.newsPause * (Self.newsAtOnce - 1)
        if isAtOnce { new.settled = new.settled + Self.newsPause } else { gather(device, at: now) }
        held[device] = new
        if !isKnown { brought[link, default: 0] += 1 }
        return isAtOnce
    }

    /// The card that is here came another time, perhaps on a shorter way.
    mutating func came(_ card: Card, of device: DeviceID, via other: DeviceID, at now: Moment) {
        guard let known = held[device], known.card.signature == card.signature,
            .seconds(Int64(card.age)) < known.silence(at: now)
        else { return }
        held[device]?.card = card
        held[device]?.cameAt = now
        held[device]?.via = other
    }

    /// Has the card of a device passed on with others.
    private mutating func gather(_ device: DeviceID, at now: Moment) {
        gathered = (
            (gathered?.devices ?? []).union([device]), gathered?.due ?? now + Self.gathering
        )
    }

    /// The gathered cards that are due, each with its age, and where each came from.
    mutating func takeGathered(at now: Moment) -> [(card: Card, via: DeviceID)] {
        guard let devices = gathered?.devices, let due = gathered?.due, due <= now else {
            return []
        }
        gathered = nil
        return devices.sorted().compactMap { held[$0] }.map { ($0.aged(at: now), $0.via) }
    }

    mutating func linkClosed(_ link: LinkID) { brought[link] = nil }

    /// All cards here, this device's first, each with its age.
    func all(at now: Moment) -> [Card] {
        let cards = held.sorted { $0.key < $1.key }.map { $0.value.aged(at: now) }
        return (own.map { [$0.card.aged(by: now - $0.madeAt)] } ?? []) + cards
    }
}
