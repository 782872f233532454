import ParleyCore

/// The offered files of a node that are here, on their way, or were decided about.
struct FileTable {
    private(set) var offers: [SessionID: FileOffer] = [:] {
        didSet { tags = Set(offers.values.map(\.tag)) }
    }
    private(set) var tags: Set<SessionTag> = []
    private var states: [SessionID: FileTransfer.State] = [:]
    /// Why files have failed.
    private var failures: [SessionID: String] = [:]

    /// All offers, in an order of no meaning that stays the same.
    var inOrder: [FileOffer] {
        offers.values.sorted { $0.session.description < $1.session.description }
    }

    /// Whether the whole file of a session is here.
    func isHere(_ session: SessionID) -> Bool { states[session] == .here }

    /// The files that a guest offers.
    func count(by guest: ParticipantID) -> Int {
        offers.keys.count { $0.core.isOwned(by: guest) }
    }

    /// The state of an offer without a transfer.
    func transfer(_ offer: FileOffer) -> FileTransfer {
        guard let state = states[offer.session], offers[offer.session] == offer else {
            return offer.transfer()
        }
        return offer.transfer(state, reason: failures[offer.session])
    }

    /// Notes a file that is on its way.
    mutating func add(_ offer: FileOffer) { offers[offer.session] = offer }

    mutating func keep(_ offer: FileOffer, _ state: FileTransfer.State, reason: String? = nil) {
        offers[offer.session] = offer
        states[offer.session] = state
        failures[offer.session] = reason
    }

    mutating func forget(_ session: SessionID) {
        offers[session] = nil
        states[session] = nil
        failures[session] = nil
    }
}
