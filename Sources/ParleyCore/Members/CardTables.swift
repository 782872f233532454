/// The cards of all conversations; of those that nobody may join without an invite.
package struct CardTables: Sendable {
    private var tables: [UInt32: CardTable] = [:]
    /// The person to whom this device belongs.
    package private(set) var person: Person?
    /// The earliest moment at which a card is due, or an earlier one.
    private(set) var deadline: Moment?
    /// Whether a conversation waits for numbers on disk.
    private var isReserving = false

    package subscript(conversation: UInt32) -> CardTable {
        _read { yield tables[conversation, default: CardTable()] }
        _modify {
            yield &tables[conversation, default: CardTable()]
            note(tables[conversation])
        }
    }

    private mutating func note(_ table: CardTable?) {
        var next = Earliest()
        next.add(deadline)
        next.add(table?.deadline)
        deadline = next.moment
        isReserving = isReserving || table?.isReserving ?? false
    }

    /// Whether a card is perhaps due; if so, `finish` follows `due`.
    func isDue(at now: Moment) -> Bool { isReserving || deadline.map { $0 <= now } ?? false }

    /// The conversations with a card to make, ascending.
    func due(_ committed: Ticket, at now: Moment) -> [UInt32] {
        tables.filter { $0.value.isDue(committed, at: now) }.keys.sorted()
    }

    /// Finds the next deadline, after the cards that were due are made.
    mutating func finish() {
        (deadline, isReserving) = (nil, false)
        for table in tables.values { note(table) }
    }

    /// The conversations in which this device has shown itself, ascending.
    var numbers: [UInt32] { tables.keys.sorted() }

    /// Has new cards made in all conversations, with another person.
    mutating func show(_ person: Person?, at now: Moment) {
        self.person = person
        for number in numbers { self[number].renew(at: now) }
    }

    /// The name on the card of a device; nil if none came that can be read here.
    package func name(of device: DeviceID) -> String? {
        numbers.lazy.compactMap { tables[$0]?.held[device]?.text?.name }.first
    }

    /// The card of a device that came with the latest news.
    package func latest(of device: DeviceID, at now: Moment) -> CardTable.Held? {
        numbers.compactMap { tables[$0]?.held[device] }
            .min { $0.silence(at: now) < $1.silence(at: now) }
    }

    mutating func left(_ conversation: UInt32) {
        tables[conversation] = nil
        finish()
    }

    mutating func linkClosed(_ link: LinkID) {
        for number in tables.keys { tables[number]?.linkClosed(link) }
    }
}
