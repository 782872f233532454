import Glibc
import ParleyLoop

/// One direction of a cable: packets that are read at one end and written at the other.
final class PacketPath {
    private let from: Descriptor
    private let to: Descriptor
    private let draws: FaultDraws
    private var source: ReadSource?
    private var flows: [PacketFlow: (draws: PacketDraws, count: UInt64)] = [:]
    /// The bytes of the packets that are under way.
    private var bytesUnderWay = 0

    /// The limit of bytes under way; what comes then is lost, as in a switch whose memory is full.
    static let mostBytesUnderWay = 32 << 20
    /// The limit of flows that are counted apart; all further ones are counted together.
    private static let mostFlows = 1_024
    /// The packets that are read before the other paths have their turn.
    private static let packetsInTurn = 64

    init(from: Descriptor, to: Descriptor, draws: FaultDraws) {
        self.from = from
        self.to = to
        self.draws = draws
    }

    /// Calls `arrived` whenever there may be packets.
    func watch(on executor: QueueExecutor, arrived: @escaping @Sendable () -> Void) {
        source = ReadSource(from, on: executor) { _ in arrived() }
    }

    /// Moves the packets that have arrived; `later` takes those that leave later, with their delays
    /// in nanoseconds.
    func move(
        _ faults: WireFaults,
        through buffer: UnsafeMutableRawBufferPointer,
        later: ([UInt8], Int64) -> Void
    ) {
        for _ in 0..<Self.packetsInTurn {
            let size = read(from.number, buffer.baseAddress, buffer.count)
            guard size > 0 else { return }
            let packet = UnsafeRawBufferPointer(rebasing: buffer[..<size])
            let fate = fate(of: packet, faults)
            for case let delay? in [fate.delay, fate.delayOfCopy] {
                if delay <= 0 {
                    write(packet)
                } else if bytesUnderWay + size <= Self.mostBytesUnderWay {
                    bytesUnderWay += size
                    later(Array(packet), delay)
                }
            }
        }
    }

    private func fate(of packet: UnsafeRawBufferPointer, _ faults: WireFaults) -> PacketFate {
        var flow = PacketFlow(packet)
        if flows[flow] == nil, flows.count >= Self.mostFlows { flow = .further }
        let counted = flows[flow] ?? (PacketDraws(flow.part(of: draws)), 0)
        flows[flow] = (counted.draws, counted.count + 1)
        return counted.draws.fate(of: counted.count, faults)
    }

    /// Writes a packet that was delayed.
    func leave(_ packet: [UInt8]) {
        bytesUnderWay -= packet.count
        packet.withUnsafeBytes(write)
    }

    /// A packet for an interface that is down, or whose queue is full, is lost.
    private func write(_ packet: UnsafeRawBufferPointer) {
        _ = Glibc.write(to.number, packet.baseAddress, packet.count)
    }
}
