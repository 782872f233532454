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

    private var promised: [Place: Promise] = [:]
    private var last = 0

    var count: Int { promised.count }
    var bytes: Int { promised.values.reduce(0) { $0 + $1.bytes } }

    func count(by guest: ParticipantID) -> Int { promised.values.count { $0.guest == guest } }

    mutating func add(_ bytes: Int, by guest: ParticipantID?, to writer: FileWriter) -> Place {
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
