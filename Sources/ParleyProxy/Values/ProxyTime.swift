/// A point on a monotonic clock, in nanoseconds from a start that only the caller knows.
package struct ProxyTime: Hashable, Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let zero = ProxyTime(nanoseconds: 0)
    /// Later than all others.
    package static let never = ProxyTime(nanoseconds: .max)

    package static func < (left: ProxyTime, right: ProxyTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// This point and so many nanoseconds; `never` if that is beyond all points.
    package func after(nanoseconds: Int64) -> ProxyTime {
        let (sum, isBeyond) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return isBeyond || self == .never ? .never : ProxyTime(nanoseconds: sum)
    }

    package func after(microseconds: Int64) -> ProxyTime {
        let (product, isBeyond) = microseconds.multipliedReportingOverflow(by: 1_000)
        return isBeyond ? .never : after(nanoseconds: product)
    }

    package func after(milliseconds: Int64) -> ProxyTime {
        let (product, isBeyond) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return isBeyond ? .never : after(nanoseconds: product)
    }
}
