/// The shares that members have used of a limit on generation records.
///
/// A record counts against its author, and against all from whom the author's admissions come. A
/// device whom the creator let in has a quarter of the limit, with all devices below, and each
/// further device half of the inviter's share. So a member who invents devices fills its own share,
/// and leaves the shares of others.
struct GenerationShares {
    let limit: Int
    private var used = 0
    private var usedBelow: [DeviceID: Int] = [:]

    init(of limit: Int) { self.limit = limit }

    /// The share of a device at this depth below the creator, from 1, with all devices below it.
    static func share(of limit: Int, depth: Int) -> Int { limit >> (depth + 1) }

    /// Counts a record, whether or not there is a place for it.
    mutating func count(_ house: [DeviceID]) {
        used += 1
        for device in house { usedBelow[device, default: 0] += 1 }
    }

    /// Whether there is a place for one record more.
    func hasPlace(for house: [DeviceID]) -> Bool {
        used < limit
            && house.enumerated().allSatisfy { depth, device in
                usedBelow[device] ?? 0 < Self.share(of: limit, depth: depth + 1)
            }
    }

    /// Counts a record, if there is a place.
    mutating func take(_ house: [DeviceID]) -> Bool {
        guard hasPlace(for: house) else { return false }
        count(house)
        return true
    }
}

extension Generations {
    /// Whether one more record of a house has a place behind a parent.
    ///
    /// The answer follows from the branch up to the parent alone, so all nodes give the same.
    func hasPlace(for house: [DeviceID], behind parent: GenerationID) -> Bool {
        var shares = GenerationShares(of: Limits.generations)
        var id = parent
        while let generation = generations[id] {
            shares.count(generation.house.filter { house.contains($0) })
            id = generation.record.statement.parent
        }
        return shares.hasPlace(for: house)
    }

    /// Forgets the records beside the line for which their members have no share left, the worst
    /// first, and likewise boxes.
    ///
    /// A record counts for the highest author in its branch. The line itself is not counted, and
    /// loses nothing.
    mutating func trim(_ patrons: [GenerationID: GenerationID], using crypto: some Cryptography) {
        var records = GenerationShares(of: Limits.generationsBeside)
        var boxes = GenerationShares(of: Limits.boxesBeside)
        var kept = Set(line)
        kept.insert(first)
        for (id, generation) in beside(patrons) {
            let house = patrons[id].flatMap { generations[$0]?.house } ?? generation.house
            guard kept.contains(generation.record.statement.parent), records.take(house) else {
                remove(id, using: crypto)
                continue
            }
            kept.insert(id)
            guard !boxes.take(house), generation.boxes != nil else { continue }
            dropBoxes(of: id)
        }
    }

    /// The records beside the line: those with the highest author in their branch first, and each
    /// behind its parent.
    private func beside(
        _ patrons: [GenerationID: GenerationID]
    ) -> [(id: GenerationID, generation: Generation)] {
        let onLine = Set(line)
        let found = generations.filter { !onLine.contains($0.key) }
            .map { (place: PlaceBeside($0.key, $0.value, patronRank($0.key, patrons)), $0) }
        return found.sorted { $0.place < $1.place }.map { ($0.1.key, $0.1.value) }
    }

    private func patronRank(
        _ id: GenerationID,
        _ patrons: [GenerationID: GenerationID]
    ) -> MemberRank? {
        patrons[id].flatMap { generations[$0]?.rank }
    }
}

/// The order of the records beside the line.
private struct PlaceBeside: Comparable {
    let best: MemberRank
    let number: UInt32
    let rank: MemberRank
    let id: GenerationID

    init(_ id: GenerationID, _ generation: Generations.Generation, _ best: MemberRank?) {
        self.best = best ?? generation.rank
        number = generation.record.statement.number
        rank = generation.rank
        self.id = id
    }

    static func < (left: PlaceBeside, right: PlaceBeside) -> Bool {
        if left.best != right.best { return left.best < right.best }
        if left.number != right.number { return left.number < right.number }
        if left.rank != right.rank { return left.rank < right.rank }
        return left.id < right.id
    }
}
