/// The toxics of one stream of one connection, in their order: bytes and marks go in, and come out
/// later, fewer or changed.
///
/// A value without a clock, sockets or a generator: the same calls have the same results. What is
/// drawn follows from the seed, the connection, the toxic and the offset of the byte.
package struct ToxicChain: Sendable {
    private let draws: FaultDraws
    private var stages: [ToxicStage] = []
    private var faults: [ChainFault] = []
    /// The bytes that went in so far.
    package private(set) var offset: UInt64 = 0
    /// Whether what goes in comes out at once and as it is.
    package private(set) var isIdle = true

    /// A chain without toxics, for one stream of a connection, with the draws of a seed.
    package init(
        _ draws: FaultDraws,
        proxy: String,
        connection: UInt64,
        direction: StreamDirection
    ) {
        self.draws = draws.part(proxy).part(connection).part(direction.rawValue)
    }

    /// Whether nothing more should go in for now.
    package var isFull: Bool { stages.contains { $0.isFull } }

    /// Whether there is no toxic at all.
    package var isBare: Bool { stages.isEmpty }

    /// The bytes that are under way.
    package var byteCount: Int { stages.reduce(0) { $0 + $1.byteCount } }

    /// The time of the next change, at which `advance` should be called.
    package var due: ProxyTime { stages.map(\.due).min() ?? .never }

    // MARK: Toxics

    /// Adds a toxic at the end.
    package mutating func add(_ toxic: Toxic, at now: ProxyTime) {
        stages.append(ToxicStage(toxic, draws.part(toxic.name), at: now))
        judgeIdleness()
    }

    /// Changes the toxic of that name.
    package mutating func change(to toxic: Toxic, at now: ProxyTime) -> [StreamItem] {
        let passed = advance(to: now)
        for index in stages.indices where stages[index].toxic.name == toxic.name {
            stages[index].change(to: toxic, at: now)
        }
        judgeIdleness()
        return passed + advance(to: now)
    }

    /// Removes the toxic of that name; what waits there goes on to the next one.
    package mutating func remove(_ name: String, at now: ProxyTime) -> [StreamItem] {
        var passed = advance(to: now)
        while let index = stages.firstIndex(where: { $0.toxic.name == name }) {
            let left = stages[index].removed()
            faults += stages[index].takeFaults()
            stages.remove(at: index)
            for item in left { deliver(item, to: index, at: now, &passed) }
        }
        passed += advance(to: now)
        judgeIdleness()
        return passed
    }

    // MARK: The stream

    /// Counts bytes that passed beside an idle chain.
    package mutating func skip(_ count: Int) {
        offset += UInt64(count)
    }

    /// Takes the next bytes of the stream, and returns what comes out at once.
    package mutating func push(_ bytes: ArraySlice<UInt8>, at now: ProxyTime) -> [StreamItem] {
        let parcel = Parcel(bytes, at: offset)
        offset += UInt64(bytes.count)
        return push(.bytes(parcel), at: now)
    }

    /// Takes a mark, and returns what comes out at once.
    package mutating func push(_ item: StreamItem, at now: ProxyTime) -> [StreamItem] {
        var passed: [StreamItem] = []
        deliver(item, to: 0, at: now, &passed)
        return passed + advance(to: now)
    }

    /// What comes out until `now`, in order.
    package mutating func advance(to now: ProxyTime) -> [StreamItem] {
        var passed: [StreamItem] = []
        for index in stages.indices {
            while let next = stages[index].next(upTo: now) {
                deliver(next.item, to: index + 1, at: next.at, &passed)
            }
        }
        if !isIdle { judgeIdleness() }
        return passed
    }

    /// What the toxics did since the last call.
    package mutating func takeFaults() -> [ChainFault] {
        defer { faults = [] }
        for index in stages.indices { faults += stages[index].takeFaults() }
        return faults
    }

    private mutating func deliver(
        _ item: StreamItem,
        to index: Int,
        at now: ProxyTime,
        _ passed: inout [StreamItem]
    ) {
        if index < stages.count {
            stages[index].take(item, at: now)
        } else {
            passed.append(item)
        }
    }

    private mutating func judgeIdleness() {
        isIdle = stages.allSatisfy { !$0.isActive && $0.isEmpty }
    }
}
