import Glibc
import ParleyLoop
import TestSupport
import Testing

/// Sockets that one source watches: what their owner is told, and what not.
@Suite(.timeLimit(.minutes(5)))
struct SocketSetTests {
    private let owner = Owner()
    private let pairs: [Pair]

    init() throws { pairs = [try Pair(), try Pair()] }

    @Test func eachSocketIsTold() async throws {
        await owner.watch(pairs)
        pairs[1].write()
        try await told(["1 readable"])
        pairs[0].write()
        try await told(["1 readable", "0 readable"])
    }

    @Test func nothingIsToldOfWhatIsNotWanted() async throws {
        await owner.watch(pairs)
        await owner.change(0) { $0.reads = false }
        pairs[0].write()
        pairs[1].write()
        try await told(["1 readable"])
        await owner.change(0) { $0.reads = true }
        try await told(["1 readable", "0 readable"])
    }

    @Test func roomIsToldWhileItIsWanted() async throws {
        await owner.watch(pairs)
        await owner.change(0) { $0.writes = true }
        try await told(["0 writable"])
        pairs[1].write()
        try await told(["0 writable", "1 readable"])
    }

    /// The kernel tells of an ended socket again and again, also if nothing of it is wanted.
    @Test(arguments: [true, false]) func anEndIsToldOnce(isRead: Bool) async throws {
        await owner.watch(pairs)
        await owner.change(0) { $0.reads = isRead }
        pairs[0].write()
        if isRead { try await told(["0 readable"]) }
        pairs[0].hangUp()
        let before = isRead ? ["0 readable"] : []
        try await told(before + ["0 last"])
        pairs[1].write()
        try await told(before + ["0 last", "1 readable"])
    }

    @Test func aSocketThatHasLeftIsSilentAndClosed() async throws {
        await owner.watch(pairs)
        await owner.change(0) { $0.leave() }
        pairs[0].write()
        pairs[1].write()
        try await told(["1 readable"])
        await owner.letGo()
        pairs[0].letGo()
        try await eventually("closed") { pairs[0].isClosed }
    }

    /// The kernel watches no socket twice.
    @Test func aSocketThatTheKernelRefusesIsNone() async throws {
        await owner.watch([pairs[0], pairs[0]])
        #expect(await owner.count == 1)
    }

    /// The queue is left to others, however much happens on the sockets.
    @Test func otherWorkHasItsTurn() async throws {
        await owner.watch(pairs, takesBytes: false)
        pairs[0].write()
        for _ in 0..<10 {
            #expect(await owner.executor.answers(within: .seconds(60)))
        }
        #expect(await owner.events.count > 1)
    }

    private func told(_ events: [String]) async throws {
        try await eventually("\(events)") { await owner.events == events }
    }
}

/// The owner of some sockets, which notes what it is told.
private actor Owner {
    nonisolated let executor = QueueExecutor(label: "test.sockets")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private(set) var events: [String] = []
    private var set: SocketSet<Int>?
    private var sockets: [WatchedSocket<Int>] = []
    private var takesBytes = true

    func watch(_ pairs: [Pair], takesBytes: Bool = true) {
        self.takesBytes = takesBytes
        let set = SocketSet<Int>(on: executor) { [weak self] in
            self?.assumeIsolated { $0.serve() }
        }
        self.set = set
        sockets = pairs.indices.compactMap { set?.add(pairs[$0].near, as: $0) }
    }

    func change(_ index: Int, _ body: @Sendable (WatchedSocket<Int>) -> Void) {
        body(sockets[index])
    }

    func letGo() { sockets = [] }

    var count: Int { sockets.count }

    private func serve() {
        set?.serve { index, event in
            switch event {
            case .readable(let isLast):
                events.append("\(index) \(isLast ? "last" : "readable")")
                guard takesBytes else { return }
                var byte: UInt8 = 0
                while recv(sockets[index].descriptor.number, &byte, 1, 0) > 0 {}
            case .writable:
                events.append("\(index) writable")
                sockets[index].writes = false
            }
        }
    }
}
