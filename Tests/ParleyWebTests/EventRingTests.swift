import NIOCore
import ParleyWeb
import Testing

/// The last events of a feed.
@Suite struct EventRingTests {
    private func ring(_ count: Int, events: Int = 100, bytes: Int = 1 << 20) -> EventRing {
        var ring = EventRing(name: "r", limits: .init(events: events, bytes: bytes))
        for number in 0..<count { ring.add("entry", data: Array("\(number)".utf8)) }
        return ring
    }

    private func numbers(_ ring: EventRing, after number: UInt64) -> [UInt64]? {
        ring.events(after: number)?.map(\.number)
    }

    @Test func goesOnAfterAnyEventThatIsKept() {
        let ring = ring(5)
        #expect(numbers(ring, after: 0) == [1, 2, 3, 4, 5])
        #expect(numbers(ring, after: 3) == [4, 5])
        #expect(numbers(ring, after: 5) == [])
        #expect(
            ring.events(after: 4).map { $0.map { String(buffer: $0.text) } } == [
                "id: r-5\nevent: entry\ndata: 4\n\n"
            ]
        )
    }

    @Test func losesTheOldestEvents() {
        let ring = ring(10, events: 3)
        #expect(ring.count == 3)
        #expect(numbers(ring, after: 7) == [8, 9, 10])
        #expect(numbers(ring, after: 6) == nil)
        #expect(numbers(ring, after: 0) == nil)
        #expect(numbers(ring, after: 10) == [])
    }

    @Test func holdsAsManyBytesAsItMay() {
        var ring = ring(0, bytes: 1_000)
        for _ in 0..<100 { ring.add("entry", data: [UInt8](repeating: 0x61, count: 300)) }
        #expect(ring.count == 3)
        #expect(ring.bytes <= 1_000)
        #expect(numbers(ring, after: 97) == [98, 99, 100])
        // One event that is larger than all that may be kept is kept alone.
        ring.add("panel", data: [UInt8](repeating: 0x61, count: 5_000))
        #expect(ring.count == 1)
        #expect(numbers(ring, after: 100) == [101])
        #expect(numbers(ring, after: 99) == nil)
    }

    /// The places of dropped events are reused, and nothing is lost by that.
    @Test func keepsTheLastEventsForEver() {
        var ring = EventRing(name: "r", limits: .init(events: 7, bytes: 1 << 20))
        for number in 1...1_000 as ClosedRange<UInt64> {
            ring.add("entry", data: Array("\(number)".utf8))
            let first = number > 7 ? number - 7 : 0
            #expect(numbers(ring, after: first) == Array(first + 1...number))
        }
    }

    @Test(arguments: ["r-6", "s-1", "r", "r-", "r-x", "r--1", "", "r-1-2", "1"])
    func refusesOtherIDs(_ id: String) {
        #expect(ring(5).number(of: id) == nil)
    }

    @Test func knowsItsIDs() {
        let ring = ring(5)
        #expect(ring.number(of: ring.id(of: 0)) == 0)
        #expect(ring.number(of: "r-5") == 5)
    }
}
