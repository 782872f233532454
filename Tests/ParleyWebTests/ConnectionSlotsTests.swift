import NIOCore
import NIOEmbedded
import ParleyWeb
import Testing

/// Strangers have few slots for a short time, and keep nobody out who is known.
@Suite struct ConnectionSlotsTests {
    private let loop = EmbeddedEventLoop()

    private func channel(_ host: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        let address = try SocketAddress(ipAddress: host, port: 1)
        channel.remoteAddress = address
        try channel.connect(to: address).wait()
        return channel
    }

    private func slots(all: Int, strangers: Int) -> ConnectionSlots {
        var limits = ConnectionSlots.Limits()
        (limits.all, limits.strangers) = (all, strangers)
        return ConnectionSlots(limits)
    }

    @Test func aStrangerGoesInTimeAndWhoIsKnownStays() throws {
        let slots = ConnectionSlots()
        let (stranger, known) = (try channel("192.0.2.1"), try channel("192.0.2.1"))
        slots.take(stranger, arrival: 1)
        slots.take(known, arrival: 2)
        slots.keep(known)
        loop.advanceTime(by: .seconds(9))
        #expect(stranger.isActive)
        loop.advanceTime(by: .seconds(1))
        #expect(!stranger.isActive)
        loop.advanceTime(by: .hours(1))
        #expect(known.isActive)
    }

    /// A host that takes many slots takes them from itself.
    @Test func theHostWithMostStrangersMakesRoom() throws {
        let slots = slots(all: 10, strangers: 3)
        let honest = try channel("192.0.2.1")
        slots.take(honest, arrival: 0)
        let flood = try (1...8).map { _ in try channel("192.0.2.2") }
        for (channel, number) in zip(flood, 1...) { slots.take(channel, arrival: number) }
        #expect(honest.isActive)
        #expect(flood.map(\.isActive) == [false, false, false, false, false, false, true, true])
    }

    /// Regression: connections are made ready side by side, and one of many that were ready late
    /// took the slot of a newer one.
    @Test func theOldestIsTheOneThatWasAcceptedFirst() throws {
        let slots = slots(all: 10, strangers: 2)
        let arrivals = [2, 5, 1, 4, 3]
        let channels = try arrivals.map { _ in try channel("192.0.2.1") }
        for (channel, number) in zip(channels, arrivals) { slots.take(channel, arrival: number) }
        #expect(channels.map(\.isActive) == [false, true, false, true, false])
    }

    @Test func knownOnesAreNotCountedAsStrangers() throws {
        let slots = slots(all: 4, strangers: 2)
        let known = try (0..<3).map { _ in try channel("192.0.2.1") }
        for (channel, number) in zip(known, 1...) {
            slots.take(channel, arrival: number)
            slots.keep(channel)
        }
        let strangers = try (0..<2).map { _ in try channel("192.0.2.1") }
        for (channel, number) in zip(strangers, 4...) { slots.take(channel, arrival: number) }
        #expect(known.map(\.isActive) == [true, true, true])
        #expect(strangers.map(\.isActive) == [false, true], "there are four slots")
        slots.leave(known[0])
        let third = try channel("192.0.2.3")
        slots.take(third, arrival: 6)
        #expect(strangers[1].isActive)
        #expect(third.isActive)
    }
}
