import Dispatch
import Glibc
import ParleyLoop
import ParleyTransport
import Synchronization
import TestSupport
import Testing

/// Sources may be paused, cancelled and released in any order without a trap of libdispatch.
@Suite(.timeLimit(.minutes(5)))
struct LoopTests {
    private let executor = QueueExecutor(label: "test.loop")

    @Test func sourcesMayBeLetGoInEveryState() async throws {
        for paused in [false, true] {
            for cancelled in [false, true] {
                let pair = try Pair()
                executor.queue.sync {
                    let source = ReadSource(pair.near, on: executor) { _ in }
                    if paused { source.pause() }
                    if cancelled { source.cancel() }
                    source.resume()
                    source.pause()
                }
                try await isClosed(pair)
            }
        }
    }

    @Test func writeSourcesMayBeLetGoInEveryState() async throws {
        let steps: [(WriteSource) -> Void] = [
            { _ in }, { $0.arm() }, { $0.disarm() }, { $0.cancel() },
        ]
        for first in steps {
            for second in steps {
                let pair = try Pair()
                executor.queue.sync {
                    let source = WriteSource(pair.near, on: executor) {}
                    first(source)
                    second(source)
                }
                try await isClosed(pair)
            }
        }
    }

    @Test func aDescriptorIsClosedAfterItsLastSource() async throws {
        let pair = try Pair()
        let reader = executor.queue.sync {
            Held(ReadSource(pair.near, on: executor) { _ in })
        }
        executor.queue.sync {
            let writer = WriteSource(pair.near, on: executor) {}
            writer.arm()
            writer.cancel()
        }
        executor.queue.sync {}
        pair.letGo()
        #expect(!pair.isClosed)
        executor.queue.sync { reader.letGo() }
        try await eventually("closed") { pair.isClosed }
    }

    @Test func aPausedSourceIsSilent() async throws {
        let pair = try Pair()
        let calls = Mutex(0)
        let source = executor.queue.sync {
            let source = ReadSource(pair.near, on: executor) { _ in calls.withLock { $0 += 1 } }
            source.pause()
            return Held(source)
        }
        pair.write()
        executor.queue.sync {}
        #expect(calls.withLock { $0 } == 0)
        executor.queue.sync { source.use { $0.resume() } }
        try await eventually("a call") { calls.withLock { $0 } > 0 }
        executor.queue.sync { source.letGo() }
    }

    @Test func aTimerFiresOncePerArming() async throws {
        let calls = Mutex(0)
        let timer = executor.queue.sync {
            Held(LoopTimer(on: executor) { calls.withLock { $0 += 1 } })
        }
        executor.queue.sync {
            timer.use { $0.arm(after: .seconds(3_600)) }
            timer.use { $0.arm(after: .milliseconds(1)) }
        }
        try await eventually("a call") { calls.withLock { $0 } == 1 }
        executor.queue.sync {
            timer.use { $0.arm(after: .milliseconds(1)) }
            timer.use { $0.disarm() }
            timer.use { $0.arm(after: .seconds(-1)) }
        }
        try await eventually("another") { calls.withLock { $0 } == 2 }
        executor.queue.sync {
            timer.use { $0.arm(after: .milliseconds(1)) }
            timer.letGo()
        }
        #expect(calls.withLock { $0 } == 2)
    }

    /// The clocks are compared when the system says that one has jumped, or at intervals.
    @Test(arguments: [true, false])
    func sleepIsTold(_ isSignalled: Bool) async throws {
        let asleep = Mutex(Duration.seconds(10))
        let told = Mutex<[Duration]>([])
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (signal, signaller) = (Descriptor(adopting: ends[0]), Descriptor(adopting: ends[1]))
        let watch = WakeWatch(
            on: executor,
            signal: isSignalled ? signal : nil,
            every: .milliseconds(5),
            asleep: { asleep.withLock { $0 } },
            woke: { slept in told.withLock { $0.append(slept) } }
        )
        executor.queue.sync { watch.start() }
        asleep.withLock { $0 += .milliseconds(500) }
        asleep.withLock { $0 += .seconds(60) }
        if isSignalled { #expect(write(signaller.number, "jumpjump", 8) == 8) }
        try await eventually("told") { told.withLock { $0 } == [.milliseconds(60_500)] }
        executor.queue.sync { watch.stop() }
    }

    /// Without a jump the signal of the real clock stays silent.
    @Test func thisSystemSaysThatAClockHasJumped() throws {
        let signal = try #require(ClockSignal.make())
        var poller = pollfd(fd: signal.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&poller, 1, 0) == 0)
    }

    @Test func onlyRealChangesOfTheNetworkAreTold() async throws {
        let real = LocalAddress.all()
        let list = Mutex(real)
        let told = Mutex<[[LocalAddress]]>([])
        let asked = Mutex(0)
        let watch = NetworkWatch(
            on: executor,
            settle: .milliseconds(5),
            list: {
                asked.withLock { $0 += 1 }
                return list.withLock { $0 }
            },
            changed: { now in told.withLock { $0.append(now) } }
        )
        try executor.queue.sync { try watch.start() }
        executor.queue.sync {
            watch.check()
            watch.check()
        }
        try await eventually("asked again") { asked.withLock { $0 } == 2 }
        list.withLock { $0 = $0.dropLast() }
        executor.queue.sync { watch.check() }
        try await eventually("told") { told.withLock { $0 } == [Array(real.dropLast())] }
        executor.queue.sync { watch.stop() }
    }

    private func isClosed(_ pair: Pair) async throws {
        pair.letGo()
        try await eventually("closed") { pair.isClosed }
    }
}

/// An object of the loop to which a test keeps a reference.
private final class Held<Value>: Sendable {
    private let held: Mutex<Value?>

    init(_ value: sending Value) { held = Mutex(value) }

    /// Calls `body` with the object; must be called on the loop's queue.
    func use(_ body: (Value) -> Void) {
        held.withLock { value in
            if let value { body(value) }
        }
    }

    func letGo() { held.withLock { $0 = nil } }
}
