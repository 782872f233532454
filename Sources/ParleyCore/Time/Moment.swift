/// A point of a monotonic clock, in nanoseconds since an arbitrary start.
package struct Moment: Hashable, Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let start = Moment(nanoseconds: 0)

    package static func < (left: Moment, right: Moment) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (moment: Moment, interval: Interval) -> Moment {
        Moment(nanoseconds: moment.nanoseconds + interval.nanoseconds)
    }

    package static func - (later: Moment, earlier: Moment) -> Interval {
        Interval(nanoseconds: later.nanoseconds - earlier.nanoseconds)
    }
}

/// A length of time, in nanoseconds.
package struct Interval: Hashable, Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func milliseconds(_ count: Int64) -> Interval {
        Interval(nanoseconds: count * 1_000_000)
    }

    package static func seconds(_ count: Int64) -> Interval { .milliseconds(count * 1_000) }

    package var milliseconds: Int64 { nanoseconds / 1_000_000 }

    package static func < (left: Interval, right: Interval) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (one: Interval, other: Interval) -> Interval {
        Interval(nanoseconds: one.nanoseconds + other.nanoseconds)
    }

    package static func - (longer: Interval, shorter: Interval) -> Interval {
        Interval(nanoseconds: longer.nanoseconds - shorter.nanoseconds)
    }

    package static func * (interval: Interval, factor: Int64) -> Interval {
        Interval(nanoseconds: interval.nanoseconds * factor)
    }
}
