import ParleyCore

/// Draws guests of one or two nodes, in every third run: they take seats, write, play with one
/// another and the host, get other names, and leave their seats to others.
///
/// In some of these runs an intruder invents guests, or poses as one.
struct GuestMix {
    let nodes: Int
    let end: Interval
    private var random: SeededRandom
    private var drawn: [ScheduledAction] = []
    private var texts = 0
    /// The latest guest at each seat of the present host.
    private var guests: [SimulatedGuest] = []

    init(nodes: Int, end: Interval, seed: UInt64) {
        self.nodes = nodes
        self.end = end
        // The salt leaves the draws of runs without guests as they are.
        random = SeededRandom(seed: seed ^ 0x6775_6573_74)
    }

    /// The actions; sets the quota of each node for an intruder that invents guests.
    mutating func draw(_ limits: inout Limits) -> [ScheduledAction] {
        guard random.chance(1, in: 3) else { return [] }
        for host in 0..<min(2, nodes) where host == 0 || random.chance(1, in: 2) {
            visit(host)
        }
        if nodes > 1, random.chance(1, in: 3) { invent(&limits) }
        if nodes > 1, random.chance(1, in: 2) { intrude(.posesAsGuest) }
        return drawn
    }

    // MARK: One host

    /// The first two nodes always write; their guests are in the first conversation.
    private mutating func visit(_ host: Int) {
        guests = []
        let first = Int64(between(100...1_000))
        for seat in 1...between(1...4) { take(seat, of: host, at: first + Int64(seat)) }
        let pace = Int64(random.chance(1, in: 4) ? between(5...60) : between(100...2_000))
        var time = first
        var count = 0
        while time < end.milliseconds, count < 60 {
            act(of: host, at: time)
            count += 1
            time += Int64.random(in: 0...2 * pace, using: &random)
        }
    }

    private mutating func act(of host: Int, at time: Int64) {
        switch between(0...19) {
        case 0: take(between(1...4), of: host, at: time)
        case 1: unseat(of: host, at: time)
        case 2: rename(of: host, at: time)
        case 3: succeed(of: host, at: time)
        case 4...9: play(host, time)
        default: send((1...between(1...4)).map { _ in utterance(between(0...5)) }, host, time)
        }
    }

    /// A new guest takes a seat, whoever had it.
    private mutating func take(_ seat: Int, of host: Int, at time: Int64) {
        guard let guest = SimulatedGuest(random.next(), at: seat, name: "guest \(texts)") else {
            return
        }
        guests.removeAll { $0.seat == guest.seat }
        guests.append(guest)
        add(.seat(node: host, conversation: 1, guest), at: time)
    }

    private mutating func unseat(of host: Int, at time: Int64) {
        guard let guest = guests.randomElement(using: &random) else { return }
        add(.unseat(node: host, conversation: 1, guest.seat), at: time)
    }

    private mutating func rename(of host: Int, at time: Int64) {
        guard var guest = guests.randomElement(using: &random) else { return }
        guest.name = "renamed \(texts)"
        add(.seat(node: host, conversation: 1, guest), at: time)
    }

    /// A seat changes hands while messages from the seat wait.
    private mutating func succeed(of host: Int, at time: Int64) {
        guard let guest = guests.randomElement(using: &random) else { return }
        for delay in 0..<Int64(3) {
            var message = utterance(between(0...1))
            message.seat = guest.seat
            send([message], host, time + delay)
        }
        take(Int(guest.seat.value), of: host, at: time + 3)
    }

    /// A move in a game of a guest and another guest or the host.
    private mutating func play(_ host: Int, _ time: Int64) {
        guard let guest = guests.randomElement(using: &random) else { return }
        var move = utterance(150 + between(0...1))
        move.seat = random.chance(1, in: 2) ? guest.seat : nil
        if move.seat == nil || random.chance(1, in: 2) {
            move.nextGuests = [guests.randomElement(using: &random) ?? guest]
        } else {
            move.next = [host]
        }
        send([move], host, time)
    }

    private mutating func utterance(_ session: Int) -> Utterance {
        texts += 1
        var utterance = Utterance(session: session, text: "by a guest \(texts)")
        // Now and then the person at the node writes between the guests.
        utterance.seat = random.chance(1, in: 8) ? nil : SeatNumber(between(1...4))
        utterance.isTombstone = random.chance(1, in: 12)
        if random.chance(1, in: 12) { utterance.replacing = .nothing }
        if random.chance(1, in: 10) { utterance.pictureBytes = between(100...20_000) }
        return utterance
    }

    private mutating func send(_ utterances: [Utterance], _ host: Int, _ time: Int64) {
        add(.send(node: host, conversation: 1, utterances), at: time)
    }

    // MARK: Intruders

    private mutating func invent(_ limits: inout Limits) {
        if !limits.keepsLittle { limits.quota = FloodMix.quota(&random) }
        intrude(.inventsGuests) { intrusion, random in
            intrusion.relays = Int.random(in: 1...2, using: &random)
            intrusion.epochs = Int.random(in: 4...24, using: &random)
            intrusion.written = Int.random(in: 1...6, using: &random)
        }
    }

    private mutating func intrude(
        _ kind: Intrusion.Kind,
        _ change: (inout Intrusion, inout SeededRandom) -> Void = { _, _ in }
    ) {
        let node = between(0...nodes - 1)
        let other = (node + between(1...nodes - 1)) % nodes
        var intrusion = Intrusion(kind, node: node, other: other, pick: random.next())
        change(&intrusion, &random)
        let time = Int64(between(300...max(301, Int(end.milliseconds))))
        add(.intrude(intrusion), at: time)
    }

    // MARK: Drawing

    private mutating func add(_ action: Action, at milliseconds: Int64) {
        drawn.append(ScheduledAction(.milliseconds(milliseconds), action))
    }

    private mutating func between(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }
}
