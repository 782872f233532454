package import ParleyLoop

/// Cables between hosts and a switch, with faults of packets.
///
/// Each end is the descriptor of a network device of the kind TAP, which reads and writes one frame
/// of Ethernet at a time.
package actor FaultWire {
    /// A cable by the descriptors of its ends, which do not block.
    package struct Cable: Sendable {
        let host: Descriptor
        let port: Descriptor

        package init(host: Descriptor, port: Descriptor) {
            self.host = host
            self.port = port
        }
    }

    private struct Packet {
        let path: Int
        let bytes: [UInt8]
    }

    private nonisolated let executor = QueueExecutor(label: "parley.wire")
    private let buffer = ReadBuffer()
    private var faults: [WireFaults]
    /// From each host and to it, in turn.
    private var paths: [PacketPath]
    private var clock: WakeClock<Packet>?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes cables through which nothing passes yet.
    package init(_ cables: [Cable], seed: UInt64) {
        let draws = FaultDraws(seed: seed)
        faults = cables.map { _ in WireFaults() }
        paths = cables.enumerated().flatMap { index, cable in
            let draws = draws.part("cable").part(UInt64(index))
            return [
                PacketPath(from: cable.host, to: cable.port, draws: draws.part("out")),
                PacketPath(from: cable.port, to: cable.host, draws: draws.part("in")),
            ]
        }
    }

    /// Connects all ends.
    package func start() {
        clock = WakeClock(on: executor) { [weak self] in self?.assumeIsolated { $0.fire() } }
        for (index, path) in paths.enumerated() {
            path.watch(on: executor) { [weak self] in
                self?.assumeIsolated { $0.move(index) }
            }
        }
    }

    /// Changes the faults of a cable, from the next packet on.
    package func change(_ cable: Int, _ change: @Sendable (inout WireFaults) -> Void) {
        change(&faults[cable])
    }

    /// Ends all cables; what is under way is lost.
    package func stop() {
        paths = []
        clock = nil
    }

    private func move(_ index: Int) {
        // The source may have called once more after the end.
        guard index < paths.count else { return }
        let now = FaultProxies.now()
        paths[index].move(faults[index / 2], through: buffer.bytes) { bytes, delay in
            let packet = Packet(path: index, bytes: bytes)
            clock?.add(packet, at: now.after(nanoseconds: delay), now: now)
        }
    }

    private func fire() {
        clock?.fire(at: FaultProxies.now()) { packet, _, _ in
            paths[packet.path].leave(packet.bytes)
        }
    }
}
