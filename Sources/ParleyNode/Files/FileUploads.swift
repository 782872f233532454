import ParleyCore

/// The files that programs and pages hand over at present, and the space that was promised to them.
struct FileUploads {
    /// One of them.
    struct Place: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Promise {
        let bytes: Int
        let writer: FileWriter
        /// The guest who hands the file over; nil for the owner of the node.
        let guest: ParticipantID?
    }

    private let limits: FileLimits
    private var promised: [Place: Promise] = [:]
    private var last = 0

    init(limits: FileLimits) {
        self.limits = limits
    }

    var bytes: Int { promised.values.reduce(0) { $0 + $1.bytes } }

    /// Whether a guest with so many offers may hand over another file, of that length.
    ///
    /// - Throws: `badDraft`.
    func check(_ bytes: Int, of guest: ParticipantID, offers: Int) throws(NodeError) {
        try limits.checkLength(ofGuests: bytes)
        let count = offers + promised.values.count { $0.guest == guest }
        guard count < limits.guestFiles else {
            throw .badDraft(
                "a guest offers at most \(limits.guestFiles) files; unsend one of yours first"
            )
        }
    }

    /// Promises space to a file of the owner, or of a guest with so many offers.
    ///
    /// - Throws: `tooManyFiles`, `badDraft`.
    mutating func add(
        _ bytes: Int,
        by guest: ParticipantID?,
        offers: Int,
        to writer: FileWriter
    ) throws(NodeError) -> Place {
        guard promised.count < limits.uploads else {
            throw .tooManyFiles(limit: limits.uploads)
        }
        if let guest { try check(bytes, of: guest, offers: offers) }
        last += 1
        let place = Place(number: last)
        promised[place] = Promise(bytes: bytes, writer: writer, guest: guest)
        return place
    }

    mutating func remove(_ place: Place) { promised[place] = nil }

    /// Ends the uploads of a guest, of which nothing stays.
    mutating func remove(by guest: ParticipantID) {
        promised = promised.filter { _, promise in
            guard promise.guest == guest else { return true }
            promise.writer.enqueue { $0.discard() }
            return false
        }
    }
}
