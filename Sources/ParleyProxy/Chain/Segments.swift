/// Finds the segments of a stream, for each of which delays and losses are drawn once.
///
/// A segment begins where nothing has come for more than a millisecond, as a message does, and at
/// the multiples of a size. So what is drawn is a function of the offset, and of the pauses of the
/// sender, but not of the pieces in which the bytes were read.
struct Segments: Sendable {
    private static let pause: Int64 = 1_000_000

    let size: UInt64
    private var last: ProxyTime?
    private(set) var start: UInt64 = 0

    init(of size: UInt64) {
        self.size = size
    }

    /// Takes the bytes of the first segment from `parcel`, and says whether the segment begins.
    mutating func next(of parcel: inout Parcel, at arrival: ProxyTime) -> (Parcel, begins: Bool) {
        let wasSilent = last.map { arrival > $0.after(nanoseconds: Self.pause) } ?? true
        let begins = wasSilent || parcel.offset % size == 0
        if begins { start = parcel.offset }
        last = arrival
        return (parcel.takeFirst(Int(size - parcel.offset % size)), begins)
    }
}
