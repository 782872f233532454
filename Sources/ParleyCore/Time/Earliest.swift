/// The earliest of several moments.
struct Earliest {
    private(set) var moment: Moment?

    mutating func add(_ other: Moment?) {
        guard let other else { return }
        moment = moment.map { min($0, other) } ?? other
    }
}
