/// The faults of packets to and from one host.
package struct WireFaults: Hashable, Sendable {
    /// The delay of every packet, in nanoseconds.
    package var delay: Int64 = 0
    /// The limit of a random further delay, in nanoseconds; with it, packets overtake each other.
    package var spread: Int64 = 0
    /// The packets that are lost, of 10,000.
    package var lossPer10000 = 0
    /// The packets that arrive twice, of 10,000.
    package var copiesPer10000 = 0
}

/// The arrivals of one packet, as delays in nanoseconds: none, one or two.
struct PacketFate: Hashable {
    var delay: Int64?
    var delayOfCopy: Int64?
}

/// The packets of one direction that are counted together: to one receiver, of one protocol.
///
/// The packets of a program are thus counted apart from the announcements and lookups of the
/// system, whose times nobody chooses.
struct PacketFlow: Hashable {
    private let head: UInt64
    private let kind: UInt64

    /// The packets beyond the limit of flows, which are counted together.
    static let further = PacketFlow(UnsafeRawBufferPointer(start: nil, count: 0))

    /// The flow of a frame of Ethernet, which has 14 bytes before its packet.
    init(_ frame: UnsafeRawBufferPointer) {
        func number(_ bytes: Range<Int>) -> UInt64 {
            guard bytes.upperBound <= frame.count else { return 0 }
            return frame[bytes].reduce(0) { $0 << 8 | UInt64($1) }
        }
        head = number(0..<6)
        let type = number(12..<14)
        let place = [0x0800: 23, 0x86dd: 20][type] ?? 14
        kind = type << 8 | (place == 14 ? 0 : number(place..<place + 1))
    }

    func part(of draws: FaultDraws) -> FaultDraws { draws.part(head).part(kind) }
}

/// The random decisions for the packets of a flow.
///
/// Each is a function of the seed, the host, the direction, the flow and the number in it.
struct PacketDraws {
    private let loss: FaultDraws
    private let copy: FaultDraws
    private let spread: FaultDraws
    private let spreadOfCopy: FaultDraws

    init(_ draws: FaultDraws) {
        loss = draws.part("loss")
        copy = draws.part("copy")
        spread = draws.part("spread")
        spreadOfCopy = draws.part("spread of the copy")
    }

    /// The fate of a packet, by its number from 0.
    func fate(of number: UInt64, _ faults: WireFaults) -> PacketFate {
        guard !Self.happens(faults.lossPer10000, loss, number) else { return PacketFate() }
        var fate = PacketFate(delay: faults.delay + Self.part(of: faults.spread, spread, number))
        if Self.happens(faults.copiesPer10000, copy, number) {
            fate.delayOfCopy = faults.delay + Self.part(of: faults.spread, spreadOfCopy, number)
        }
        return fate
    }

    private static func happens(_ per10000: Int, _ draws: FaultDraws, _ number: UInt64) -> Bool {
        per10000 > 0 && draws.share(number) * 10_000 < Double(per10000)
    }

    private static func part(of limit: Int64, _ draws: FaultDraws, _ number: UInt64) -> Int64 {
        limit > 0 ? Int64(draws.share(number) * Double(limit)) : 0
    }
}
