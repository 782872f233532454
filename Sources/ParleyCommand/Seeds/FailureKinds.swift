/// The failures of many runs, counted by what failed.
package struct FailureKinds {
    private var seeds: [(what: String, seeds: [UInt64])] = []

    /// The number of seeds of a kind that are listed.
    private static let listed = 8

    package init() {}

    /// Counts a failure; several of one kind in one run are one.
    package mutating func add(_ what: String, seed: UInt64) {
        guard let index = seeds.firstIndex(where: { $0.what == what }) else {
            seeds.append((what, [seed]))
            return
        }
        if seeds[index].seeds.last != seed { seeds[index].seeds.append(seed) }
    }

    /// A line for each kind: what failed, in how many runs, and the first seeds.
    package var lines: [String] {
        seeds.map { what, seeds in
            let first = seeds.prefix(Self.listed).map(String.init).joined(separator: ", ")
            let rest = seeds.count > Self.listed ? ", …" : ""
            let noun = seeds.count == 1 ? "seed" : "seeds"
            return "\(what): \(seeds.count) \(noun) (\(first)\(rest))"
        }
    }
}
