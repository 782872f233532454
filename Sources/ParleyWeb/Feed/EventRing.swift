package import NIOCore

/// The last events of a feed, so that a reader can go on after a lost connection.
///
/// An event has a number; the ID is the number after the name of this ring, which is unique among
/// all processes.
package struct EventRing: Sendable {
    /// An event as it is written to a stream.
    package struct Event: Sendable {
        package let number: UInt64
        package let text: ByteBuffer
    }

    /// Bounds on the events that are kept.
    package struct Limits: Sendable {
        package var events: Int
        package var bytes: Int

        package init(events: Int = 4_096, bytes: Int = 8 << 20) {
            self.events = events
            self.bytes = bytes
        }
    }

    /// The number of the last event; 0 before the first.
    package private(set) var last: UInt64 = 0
    /// The bytes of all events that are kept.
    package private(set) var bytes = 0

    private let name: String
    private let limits: Limits
    /// The events, of which the first `gone` are not kept any more.
    private var events: [Event?] = []
    private var gone = 0

    /// An empty ring; no other ring has its `name`, which is without `-`.
    package init(name: String, limits: Limits = Limits()) {
        self.name = name
        self.limits = limits
    }

    /// The number of events that are kept.
    package var count: Int { events.count - gone }

    /// The ID of an event.
    package func id(of number: UInt64) -> String { "\(name)-\(number)" }

    /// The number of an event by its ID; nil for an ID of another ring.
    package func number(of id: some StringProtocol) -> UInt64? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == name, let number = UInt64(parts[1]), number <= last
        else { return nil }
        return number
    }

    /// Adds an event, whose data must be without line ends.
    package mutating func add(_ kind: String, data: some Collection<UInt8>) {
        last += 1
        var text = ByteBuffer(string: "id: \(id(of: last))\nevent: \(kind)\ndata: ")
        text.writeBytes(data)
        text.writeString("\n\n")
        events.append(Event(number: last, text: text))
        bytes += text.readableBytes
        // The newest event is kept whatever its size.
        while count > 1, count > limits.events || bytes > limits.bytes { dropFirst() }
    }

    private mutating func dropFirst() {
        bytes -= events[gone]?.text.readableBytes ?? 0
        events[gone] = nil
        gone += 1
        // Moving the rest only now and then makes dropping cheap.
        guard gone > limits.events else { return }
        events.removeFirst(gone)
        gone = 0
    }

    /// The events after that number, oldest first; nil if some of them are not kept any more.
    package func events(after number: UInt64) -> [Event]? {
        guard number < last else { return [] }
        let missing = Int(clamping: last - number)
        guard missing <= count else { return nil }
        return events.suffix(missing).compactMap(\.self)
    }
}
