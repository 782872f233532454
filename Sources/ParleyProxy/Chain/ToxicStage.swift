/// A toxic in the chain of one stream of one connection.
struct ToxicStage: Sendable {
    private(set) var toxic: Toxic
    /// Whether the connection is among those that the toxic's share of connections has.
    private(set) var isActive = false
    private let draws: FaultDraws
    private let begin: ProxyTime
    private var behaviour: any ToxicBehaviour = NoopBehaviour()
    private var line: StageLine
    /// Whether a mark of this stage has ended the connection.
    private var isOver = false

    init(_ toxic: Toxic, _ draws: FaultDraws, at now: ProxyTime) {
        self.toxic = toxic
        self.draws = draws
        begin = now
        line = StageLine(of: toxic.name)
        decide(at: now)
    }

    var isEmpty: Bool { line.isEmpty }
    var isFull: Bool {
        line.byteCount >= behaviour.capacity || line.count >= ChainLimits.items
    }
    var byteCount: Int { line.byteCount }

    /// The time at which something leaves.
    var due: ProxyTime {
        guard !isOver else { return .never }
        return min(line.head?.due ?? .never, behaviour.alarm?.due ?? .never)
    }

    mutating func take(_ item: StreamItem, at arrival: ProxyTime) {
        guard !isOver else { return }
        if let alarm = behaviour.alarm, alarm.due <= arrival { return }
        if case .bytes(let parcel) = item { line.seen = parcel.end }
        behaviour.take(item, at: arrival, into: &line)
    }

    /// The next item that leaves, not later than `now`.
    mutating func next(upTo now: ProxyTime) -> (item: StreamItem, at: ProxyTime)? {
        guard !isOver, due <= now else { return nil }
        if let alarm = behaviour.alarm, alarm.due <= line.head?.due ?? .never {
            end()
            line.note(alarm.mark == .reset ? .reset : .closed, at: line.seen)
            return (alarm.mark, alarm.due)
        }
        guard let head = line.removeFirst() else { return nil }
        if head.item == .close || head.item == .reset { end() }
        return (head.item, head.due)
    }

    /// Changes the toxic; what waits is judged anew.
    mutating func change(to toxic: Toxic, at now: ProxyTime) {
        self.toxic = toxic
        let waiting = line.removeAll()
        decide(at: now)
        for one in waiting {
            behaviour.take(one.item, at: isActive ? one.arrival : now, into: &line)
        }
    }

    /// What leaves when the toxic is removed.
    mutating func removed() -> [StreamItem] {
        let waiting = line.removeAll().map(\.item)
        return behaviour.closesWhenRemoved ? waiting + [.close] : waiting
    }

    mutating func takeFaults() -> [ChainFault] {
        defer { line.faults.removeAll(keepingCapacity: true) }
        return line.faults
    }

    private mutating func end() {
        isOver = true
        _ = line.removeAll()
    }

    private mutating func decide(at now: ProxyTime) {
        let wasActive = isActive
        isActive = draws.part("toxicity").share(0) < Double(toxic.toxicity)
        if !isActive { behaviour = NoopBehaviour() }
        if isActive, !wasActive { behaviour = made() }
        behaviour.change(to: toxic, at: now)
    }

    private func made() -> any ToxicBehaviour {
        switch toxic.kind {
        case .latency: LatencyBehaviour(draws)
        case .bandwidth: BandwidthBehaviour()
        case .slowClose: SlowCloseBehaviour()
        case .timeout: TimeoutBehaviour()
        case .resetPeer: ResetPeerBehaviour()
        case .slicer: SlicerBehaviour(draws)
        case .limitData: LimitDataBehaviour()
        case .packetLoss: PacketLossBehaviour(draws)
        case .corrupt: CorruptBehaviour(draws)
        case .drip: DripBehaviour()
        case .halfOpen: HalfOpenBehaviour()
        case .limitTime: LimitTimeBehaviour(from: begin)
        case .loss: LossBehaviour(draws)
        case .noop, .refuse, .slowAccept: NoopBehaviour()
        }
    }
}
