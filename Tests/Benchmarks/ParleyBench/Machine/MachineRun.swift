import Glibc
import ParleyCore
import ParleyFaults

/// The machine of a relay alone: between the machines of an author and a reader, in one thread and
/// in virtual time, without sockets, TLS and disks, and with cryptography that costs next to
/// nothing.
///
/// `MachineCostTests` counts the instructions of `ChainOfMachines.work`, and of what that calls.
enum MachineRun {
    static let usage = "parley-bench machine [SESSIONS [ROUNDS]]: 4096 and 5 unless given"

    static func run(_ arguments: ArraySlice<String>) throws {
        let numbers = arguments.compactMap { Int($0) }.filter { $0 > 0 }
        guard numbers.count == arguments.count, numbers.count < 3 else {
            throw BenchError.usage(usage)
        }
        let sessions = numbers.first ?? 4_096
        let rounds = numbers.count > 1 ? numbers[1] : 5
        var chain = ChainOfMachines()
        // The first round makes the sessions, and each further one replaces all their messages.
        // The second is not counted either: the first use of a type makes the runtime search.
        for _ in 0..<2 { chain.play(sessions: sessions) }
        let before = chain.relaySeconds
        chain.isCounted = true
        for _ in 0..<rounds { chain.play(sessions: sessions) }
        let used = chain.relaySeconds - before
        let count = sessions * rounds
        guard chain.read == count + 2 * sessions else {
            throw BenchError.wrongCount("\(chain.read) of \(count + 2 * sessions) at the reader")
        }
        let cost = (used / Double(count) * 1e6 * 1_000).rounded() / 1_000
        print("\(count) envelopes, \(cost) µs each")
    }
}

/// An author, a relay and a reader, as machines that hand each other their bytes.
struct ChainOfMachines {
    private enum Place: Int { case author, relay, reader }

    private var machines: [NodeMachine]
    private var disks = [SimulatedDisk](repeating: SimulatedDisk(), count: 3)
    private var timers: [Moment?] = [nil, nil, nil]
    private var now = Moment.start
    private var queue: [(place: Int, inputs: [NodeInput])] = []
    private let table = SimulatedConversation(1)
    private var requests: UInt64 = 0

    /// The envelopes that the reader has shown.
    private(set) var read = 0
    /// The processor time of the relay's machine while it is counted, in seconds.
    private(set) var relaySeconds = 0.0
    /// Whether the work of the relay goes through `work`.
    var isCounted = false

    /// The size of a message's URL, with which its sealed body has 300 bytes.
    private static let urlBytes = 230
    /// The number of messages under one signature, and so in one frame.
    private static let batch = 128

    init() {
        let roles: [Capability.Role] = [.writer, .relay, .reader]
        let crypto = roles.indices.map { SimulatedCryptography(seed: UInt64($0) + 1) }
        machines = crypto.indices.map { index in
            NodeMachine(
                configuration: NodeConfiguration(deviceName: "bench", software: "bench"),
                crypto: crypto[index],
                random: ParleyFaults.SeededRandom(seed: UInt64(index) + 7),
                recovery: SimulatedDisk().recovery
            )
        }
        for (index, role) in roles.enumerated() {
            carryOut(machines[index].start(at: now), of: index)
            let device = DeviceID(publicKey: crypto[index].devicePublicKey, using: crypto[index])
            queue.append((index, [.joined(table.record(number: 1, role: role, device: device))]))
        }
        settle()
        for (dialling, other) in [(0, 1), (2, 1)] {
            for (place, peer) in [(dialling, other), (other, dialling)] {
                let opened = OpenedLink(
                    id: Self.link(place, to: peer),
                    dial: place == dialling ? DialID(1) : nil,
                    peerKey: crypto[peer].devicePublicKey,
                    exporter: Bytes32(UInt64(dialling), 5, 6, 7),
                    address: "bench-\(peer)"
                )
                queue.append((place, [.linkOpened(opened)]))
            }
        }
        settle()
        pass(.seconds(3))
    }

    /// Sends a message in each session, and lets all nodes have it.
    mutating func play(sessions: Int) {
        for start in stride(from: 0, to: sessions, by: Self.batch) {
            let drafts = (start..<min(start + Self.batch, sessions)).map { session in
                requests += 1
                return AuthorRequest(
                    request: RequestID(requests),
                    conversation: 1,
                    body: MessageBody(
                        session: SessionUUID(session: "\(session)"),
                        place: 0,
                        sentAt: 0,
                        url: String(repeating: "x", count: Self.urlBytes)
                    )
                )
            }
            queue.append((Place.author.rawValue, [.authored(drafts)]))
            settle()
            pass(.milliseconds(1))
        }
        pass(.seconds(1))
    }

    /// What the relay's machine does with its inputs: the only work that is counted.
    @inline(never)
    private static func work(
        _ machine: inout NodeMachine,
        _ inputs: [NodeInput],
        _ now: Moment
    ) -> Effects {
        machine.handle(inputs, at: now)
    }

    /// The link of one machine to another.
    private static func link(_ place: Int, to peer: Int) -> LinkID {
        LinkID(UInt64(place * 3 + peer + 1))
    }

    private mutating func settle() {
        while !queue.isEmpty {
            let (place, inputs) = queue.removeFirst()
            guard place == Place.relay.rawValue, isCounted else {
                carryOut(machines[place].handle(inputs, at: now), of: place)
                continue
            }
            let begin = Self.threadSeconds
            let effects = Self.work(&machines[place], inputs, now)
            relaySeconds += Self.threadSeconds - begin
            carryOut(effects, of: place)
        }
    }

    private mutating func pass(_ interval: Interval) {
        let end = now + interval
        while let due = timers.compactMap({ $0 }).min(), due <= end {
            now = max(now, due)
            for index in timers.indices where timers[index].map({ $0 <= now }) == true {
                timers[index] = nil
                queue.append((index, [.timer]))
            }
            settle()
        }
        now = end
    }

    private mutating func carryOut(_ effects: Effects, of place: Int) {
        timers[place] = effects.timer
        if let persist = effects.persist {
            disks[place].apply(persist.writes)
            queue.append((place, [.committed(persist.ticket)]))
        }
        for send in effects.sends {
            let peer = Int(send.link.value - 1) % 3
            let link = Self.link(peer, to: place)
            queue.append((peer, [.received(link, Slice(send.bytes))]))
        }
        for link in effects.drains { queue.append((place, [.drained(link)])) }
        for work in effects.work where work.isUnfinished {
            queue.append((place, [.received(work.link, .empty)]))
        }
        for case .session(let row) in effects.reads {
            let heads = disks[place].rows[row]?.heads ?? []
            queue.append((place, [.loaded(row: row, heads: heads)]))
        }
        guard place == Place.reader.rawValue else { return }
        for case .shown in effects.deliveries { read += 1 }
    }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
