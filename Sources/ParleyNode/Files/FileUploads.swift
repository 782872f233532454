/// The files that programs and pages hand over at present, and the space that was promised to them.
struct FileUploads {
    /// One of them.
    struct Place: Hashable, Sendable {
        fileprivate let number: Int
    }

    private var promised: [Place: Int] = [:]
    private var last = 0

    var count: Int { promised.count }
    var bytes: Int { promised.values.reduce(0, +) }

    mutating func add(_ bytes: Int) -> Place {
        last += 1
        let place = Place(number: last)
        promised[place] = bytes
        return place
    }

    mutating func remove(_ place: Place) { promised[place] = nil }
}
