/// The network interfaces that discovery uses, selected by globs on their names.
///
/// A glob that starts with `!` denies, and takes precedence. With at least one allowing glob,
/// discovery uses only interfaces whose names match an allowing glob. Without globs discovery uses
/// every interface of avahi-daemon, including loopback, whose records belong to this machine. A
/// built-in list of bad interfaces would exclude good ones.
package struct InterfaceFilter: Equatable, Sendable {
    private let allowed: [[UInt8]]
    private let denied: [[UInt8]]

    /// The result of the filter for one name.
    package enum Verdict: Equatable, Sendable {
        case used
        /// This glob, as the caller wrote it, denies the name.
        case denied(by: String)
        /// There are allowing globs, and none of them matches the name.
        case notListed
    }

    /// The filter that allows every interface.
    package static let everything = InterfaceFilter()

    private init() {
        allowed = []
        denied = []
    }

    /// Parses globs: `*` matches any sequence of characters, `?` any one character, and every other
    /// character itself.
    ///
    /// - Throws: `globMalformed`.
    package init(globs: [String]) throws(DiscoveryError) {
        guard globs.count <= DiscoveryLimits.globs else { throw .globMalformed }
        var allowed: [[UInt8]] = []
        var denied: [[UInt8]] = []
        for glob in globs {
            let denies = glob.utf8.first == 0x21
            let pattern = Array(denies ? glob.utf8.dropFirst() : glob.utf8[...])
            guard !pattern.isEmpty, pattern.count <= DiscoveryLimits.globBytes else {
                throw .globMalformed
            }
            if denies { denied.append(pattern) } else { allowed.append(pattern) }
        }
        self.allowed = allowed
        self.denied = denied
    }

    package var usesEverything: Bool { allowed.isEmpty && denied.isEmpty }

    /// Whether an interface of this name is used, and why not.
    package func verdict(on name: String) -> Verdict {
        let bytes = Array(name.utf8)
        if let glob = denied.first(where: { Self.matches(bytes, $0) }) {
            return .denied(by: "!" + String(decoding: glob, as: UTF8.self))
        }
        guard allowed.isEmpty || allowed.contains(where: { Self.matches(bytes, $0) }) else {
            return .notListed
        }
        return .used
    }

    /// Whether `name` matches `glob`.
    ///
    /// The search backtracks only to the last `*`, so it takes at most name × glob steps.
    private static func matches(_ name: [UInt8], _ glob: [UInt8]) -> Bool {
        var here = 0
        var at = 0
        var star: (glob: Int, name: Int)?
        while here < name.count {
            if at < glob.count, glob[at] == 0x2A {
                star = (at, here)
                at += 1
            } else if at < glob.count, glob[at] == 0x3F || glob[at] == name[here] {
                at += 1
                here += 1
            } else if let latest = star {
                star = (latest.glob, latest.name + 1)
                at = latest.glob + 1
                here = latest.name + 1
            } else {
                return false
            }
        }
        return glob[at...].allSatisfy { $0 == 0x2A }
    }
}
