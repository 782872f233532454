import ParleyCore
import ParleyFaults
import Testing

/// Signals: what somebody does at this moment, which nobody keeps.
@Suite struct SignalTests {
    private let table = SimulatedConversation(1)
    private let game = SessionUUID(session: "game 0")

    private let author = SimulatedAuthor(
        crypto: SimulatedCryptography(seed: 3),
        table: SimulatedConversation(1)
    )

    /// A node with a link to a member, who introduced the author of signals.
    private func listener() -> Puppet {
        var puppet = Puppet()
        puppet.meetAndSync()
        puppet.send(author.originFrame)
        return puppet
    }

    // MARK: Spreading

    /// Four nodes in a line, of which the second is a relay, and nobody has written.
    @Test func everyReaderHearsASignalOnce() {
        let world = World(nodes: 4)
        for (one, other) in [(0, 2), (0, 3), (1, 3)] { world.cut(one, other) }
        world.join(table, [1], as: .relay)
        world.join(table, [0, 2, 3])
        world.run(.milliseconds(500))
        let listeners = Listeners(world)
        Action.signal(node: 0, seat: nil, .atBoard, game: 0, count: 1).perform(in: world)
        world.run(.milliseconds(100))
        #expect(listeners.heard.map(\.node) == [0, 2, 3])
        #expect(Set(listeners.heard.map(\.notice.dot)).count == 1)
        let me = world.participant(0, in: table)
        #expect(listeners.heard.allSatisfy { $0.notice.author == me })
        #expect(listeners.heard.allSatisfy { $0.notice.signal == Signal(.atBoard, in: game) })
        #expect(world.nodes.allSatisfy { $0.disk.sortedRows.isEmpty })
        world.expectSound()
    }

    /// A signal that comes from several members is passed on once.
    @Test func aMeshPassesEachSignalOnOncePerLink() {
        let world = World(nodes: 6)
        world.join(table, Array(0..<6))
        world.run(.milliseconds(500))
        let listeners = Listeners(world)
        let before = world.trace.count(.signal)
        Action.signal(node: 3, seat: nil, .nudge, game: 0, count: 1).perform(in: world)
        world.run(.milliseconds(200))
        #expect(listeners.heard.map(\.node).sorted() == Array(0..<6))
        // Each of the 15 links is crossed at most once in each direction.
        #expect(world.trace.count(.signal) - before <= 30)
        world.expectSound()
    }

    @Test func aGuestsSignalIsTheGuests() throws {
        let guest = try #require(SimulatedGuest(7, at: 2))
        var puppet = Puppet()
        puppet.meetAndSync()
        puppet.seat(guest)
        puppet.forgetFrames()
        let participant = puppet.participant(of: guest)
        let signal = Signal(.atBoard, in: game)
        puppet.handle(.signalled(SignalRequest(conversation: 1, guest: participant, signal)))
        #expect(puppet.frames.map(\.type) == [.origin, .signal])
        #expect(puppet.notices.map(\.author) == [participant])
        #expect(puppet.notices.map(\.device) == [puppet.nodeDevice])
        // Who has no seat sends nothing.
        let nobody = SignalRequest(conversation: 1, guest: .nobody, signal)
        puppet.handle(.signalled(nobody))
        #expect(puppet.notices.count == 1)
    }

    @Test(arguments: [Capability.Role.reader, .relay])
    func whoCannotWriteSendsNone(role: Capability.Role) {
        var puppet = Puppet(role: role)
        puppet.meetAndSync()
        puppet.signal(.atBoard)
        #expect(puppet.count(.signal) == 0)
        #expect(puppet.notices.isEmpty)
    }

    /// A number that a crash took back would make the next signals old.
    @Test func countersRiseAfterARestart() throws {
        var puppet = Puppet()
        puppet.meetAndSync()
        puppet.signal(.atBoard)
        var again = Puppet(disk: puppet.disk, seed: 9)
        again.meetAndSync()
        again.signal(.atBoard)
        let (one, other) = (
            try #require(puppet.notices.first), try #require(again.notices.first)
        )
        #expect(one.dot.origin == other.dot.origin)
        #expect(one.dot.sequence < other.dot.sequence)
    }

    // MARK: Limits

    @Test func aFloodIsCutToFourASecond() {
        var puppet = listener()
        for counter in 1...40 {
            puppet.send(.signal(author.signal(Signal(.nudge, in: game), UInt64(counter))))
        }
        #expect(puppet.notices.count == 8)
        puppet.pass(.seconds(1))
        for counter in 41...80 {
            puppet.send(.signal(author.signal(Signal(.nudge, in: game), UInt64(counter))))
        }
        #expect(puppet.notices.count == 12)
        #expect(puppet.goodbye == nil)
    }

    @Test func anOwnFloodIsCutAsWell() throws {
        var puppet = Puppet()
        puppet.meetAndSync()
        let guest = try #require(SimulatedGuest(7, at: 2))
        puppet.seat(guest)
        for _ in 0..<20 { puppet.signal(.atBoard, as: puppet.participant(of: guest)) }
        for _ in 0..<20 { puppet.signal(.atBoard) }
        #expect(puppet.count(.signal) == 8)
    }

    @Test func anOldSignalIsNotHeardAgain() {
        var puppet = listener()
        for counter: UInt64 in [5, 5, 4, 6, 5, 1] {
            puppet.send(.signal(author.signal(Signal(.nudge, in: game), counter)))
        }
        #expect(puppet.notices.map(\.dot.sequence) == [5, 6])
    }

    /// A peer cannot make a signal go on for ever, nor hide one by its hops.
    @Test(arguments: [(0, true), (7, true), (8, false), (255, false)] as [(UInt8, Bool)])
    func hopsAreBounded(hops: UInt8, isPassedOn: Bool) {
        var puppet = listener()
        puppet.meet(SimulatedCryptography(seed: 4), on: LinkID(2))
        puppet.begin(on: LinkID(2))
        let before = puppet.machine.links.figures.framesSent[.signal] ?? 0
        puppet.send(.signal(author.signal(Signal(.nudge, in: game), 1, hops: hops)))
        #expect(puppet.notices.count == 1)
        let sent = (puppet.machine.links.figures.framesSent[.signal] ?? 0) - before
        #expect(sent == (isPassedOn ? 1 : 0))
        #expect(puppet.count(.signal) == 0, "not back to who sent it")
    }

    @Test func theTableForgetsTheOldestOrigin() {
        var signals = SignalTable()
        let dots = (0...UInt64(Limits.signalAuthors)).map { number in
            Dot(origin: OriginID(Bytes16(number, 1)), sequence: 9)
        }
        for (number, dot) in dots.enumerated() {
            let now = Moment.start + .seconds(Int64(number))
            let device = DeviceID(Bytes32(UInt64(number), 0, 0, 0))
            let isAdmitted = signals.admits(device, at: now)
            #expect(isAdmitted)
            signals.count(dot, of: device, at: now)
        }
        #expect(signals.isNew(dots[0]))
        #expect(!signals.isNew(dots[1]))
    }

    /// Devices that cost nothing cannot make the table grow.
    @Test func aFullTableAdmitsNobodyElse() {
        var signals = SignalTable()
        for number in 0..<UInt64(Limits.signalAuthors) {
            let dot = Dot(origin: OriginID(Bytes16(number, 1)), sequence: 1)
            signals.count(dot, of: DeviceID(Bytes32(number, 0, 0, 0)), at: .start)
        }
        let last = DeviceID(Bytes32(1 << 40, 0, 0, 0))
        let isAdmitted = [0, 249, 250].map { after in
            signals.admits(last, at: .start + .milliseconds(after))
        }
        #expect(isAdmitted == [false, false, true])
    }

    // MARK: Hostile

    @Test func aForgedSignalEndsTheLink() {
        var puppet = listener()
        let signal = author.signal(Signal(.nudge, in: game), 1)
        var sealed = signal.sealed.bytes
        sealed[0] ^= 1
        let forged = SignalFrame(
            conversation: 0,
            dot: signal.dot,
            sealed: Slice(sealed),
            signature: signal.signature
        )
        puppet.send(.signal(forged))
        #expect(puppet.goodbye == .forged)
        #expect(puppet.notices.isEmpty)
    }

    @Test func signalsOfUnknownOriginsAreIgnored() {
        var puppet = listener()
        var stranger = author
        stranger.epoch = Epoch(99)
        puppet.send(.signal(stranger.signal(Signal(.nudge, in: game), 1)))
        #expect(puppet.goodbye == nil)
        #expect(puppet.notices.isEmpty)
    }

    @Test func nobodyHearsABlockedDevice() {
        var puppet = listener()
        puppet.handle(.gated(DeviceGate(blocked: [author.device])))
        puppet.send(.signal(author.signal(Signal(.nudge, in: game), 1)))
        #expect(puppet.notices.isEmpty)
        #expect(puppet.goodbye == nil)
    }

    /// A later version, or nonsense: passed on as a relay would, and not shown.
    @Test(arguments: [[0xa2, 0x01, 0x18, 0x63, 0x03, 0x40], [], [0xff]] as [[UInt8]])
    func unknownContentsAreNotShown(content: [UInt8]) {
        var puppet = listener()
        puppet.meet(SimulatedCryptography(seed: 4), on: LinkID(2))
        puppet.begin(on: LinkID(2))
        puppet.send(.signal(author.signal(content: content, 1)))
        #expect(puppet.notices.isEmpty)
        #expect(puppet.goodbye == nil)
        #expect(puppet.machine.links.figures.framesSent[.signal] == 1)
    }
}

extension Puppet {
    fileprivate var notices: [SignalNotice] {
        deliveries.compactMap { if case .signal(let notice) = $0 { notice } else { nil } }
    }

    fileprivate mutating func signal(_ kind: Signal.Kind, as guest: ParticipantID? = nil) {
        let signal = Signal(kind, in: SessionUUID(session: "game 0"))
        handle(.signalled(SignalRequest(conversation: 1, guest: guest, signal)))
    }
}

/// The signals that the nodes of a world heard.
private final class Listeners {
    private(set) var heard: [(node: Int, notice: SignalNotice)] = []

    init(_ world: World) {
        world.watch(with: [Ear(listeners: self)])
    }

    private struct Ear: Checker {
        static let promise = Promise("hears")
        static let watches: WorldEvent.Kinds = [.delivered]
        let listeners: Listeners

        mutating func observe(_ event: WorldEvent, in world: World) {
            guard case .delivered(let node, .signal(let notice)) = event else { return }
            listeners.heard.append((node, notice))
        }
    }
}
