import Glibc

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// More than any node needs, and few enough for loops over all possible descriptors.
    private static let wanted = rlim_t(1 << 16)

    /// Raises the soft limit as far as useful and the hard limit allows; returns the limit.
    ///
    /// The usual soft limit of 1,024 is for programs that call `select`, and Parley does not.
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return Int(wanted) }
        let raised = min(limit.rlim_max, wanted)
        if limit.rlim_cur < raised {
            var higher = limit
            higher.rlim_cur = raised
            if setrlimit(resource, &higher) == 0 { limit = higher }
        }
        return Int(min(limit.rlim_cur, wanted))
    }

    private static var resource: __rlimit_resource_t {
        __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    }
}
