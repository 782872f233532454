import Glibc
import ParleyLoop
import ParleyProxy
import TestSupport
import Testing

/// Cables with faults, whose ends are sockets that keep the bounds of packets.
struct WireTests {
    /// One cable: what is sent at one side arrives at the other.
    private struct Rig {
        let host: Descriptor
        let port: Descriptor
        let wire: FaultWire

        init(seed: UInt64, _ change: @escaping @Sendable (inout WireFaults) -> Void) async throws {
            let (host, hostEnd) = try Self.pair()
            let (port, portEnd) = try Self.pair()
            self.host = host
            self.port = port
            wire = FaultWire([FaultWire.Cable(host: hostEnd, port: portEnd)], seed: seed)
            await wire.start()
            await wire.change(0, change)
        }

        private static func pair() throws -> (Descriptor, Descriptor) {
            var ends: [Int32] = [0, 0]
            let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            return (Descriptor(adopting: ends[0]), Descriptor(adopting: ends[1]))
        }

        /// Sends these numbers as packets; returns what arrives until nothing has for a while.
        func pass(
            _ numbers: Range<UInt8>,
            from: Descriptor,
            to: Descriptor
        ) async throws -> [UInt8] {
            for number in numbers { try #require(write(from.number, [number], 1) == 1) }
            var arrived: [UInt8] = []
            var quiet = 0
            try await eventually("the packets arrive") {
                var byte: UInt8 = 0
                quiet += 1
                while read(to.number, &byte, 1) == 1 {
                    arrived.append(byte)
                    quiet = 0
                }
                return quiet > 30
            }
            return arrived
        }
    }

    @Test func aCableWithoutFaultsPassesEachPacketOnceAndInOrder() async throws {
        let rig = try await Rig(seed: 1) { _ in }
        #expect(try await rig.pass(0..<100, from: rig.host, to: rig.port) == Array(0..<100))
        #expect(try await rig.pass(0..<100, from: rig.port, to: rig.host) == Array(0..<100))
    }

    @Test func aConstantDelayKeepsTheOrder() async throws {
        let rig = try await Rig(seed: 1) { $0.delay = 20_000_000 }
        let start = ContinuousClock.now
        #expect(try await rig.pass(0..<100, from: rig.host, to: rig.port) == Array(0..<100))
        #expect(.now - start >= .milliseconds(20))
    }

    @Test func theSameSeedLosesAndDoublesTheSamePackets() async throws {
        var runs: [[UInt8]] = []
        for seed: UInt64 in [7, 7, 8] {
            let rig = try await Rig(seed: seed) {
                $0.lossPer10000 = 2_000
                $0.copiesPer10000 = 2_000
            }
            runs.append(try await rig.pass(0..<200, from: rig.host, to: rig.port))
        }
        #expect(runs[0] == runs[1] && runs[0] != runs[2])
        let distinct = Set(runs[0])
        #expect((130...190).contains(distinct.count))
        #expect((10...60).contains(runs[0].count - distinct.count))
    }

    @Test func aSpreadLetsPacketsOvertake() async throws {
        let rig = try await Rig(seed: 3) { $0.spread = 20_000_000 }
        let arrived = try await rig.pass(0..<100, from: rig.host, to: rig.port)
        #expect(arrived.sorted() == Array(0..<100) && arrived != arrived.sorted())
    }
}
