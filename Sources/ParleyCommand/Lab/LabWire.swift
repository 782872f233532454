import CLab
import Foundation
import ParleyAPI
import ParleyCore
import ParleyFaults
import ParleyLoop
import ParleyProxy

/// The cables of a lab whose plan has faults of single packets, for which the kernel has no queue.
struct LabWire {
    private let wire: FaultWire

    /// Connects hosts that `lab.sh up N tap` has made.
    init(_ script: LabScript, hosts: Int, seed: UInt64) async throws(Problem) {
        var cables: [FaultWire.Cable] = []
        for number in 1...hosts {
            cables.append(
                FaultWire.Cable(
                    host: try Self.open(script, "host\(number)", "eth0"),
                    port: try Self.open(script, "switch", "port\(number)")
                )
            )
        }
        wire = FaultWire(cables, seed: seed)
        await wire.start()
    }

    /// Changes the faults of a host.
    func perform(_ fault: PlanFault) async {
        switch fault {
        case .loss(let host, let share):
            await wire.change(host.index) { $0.lossPer10000 = share }
        case .delay(let host, let by):
            await wire.change(host.index) { $0.delay = by.nanoseconds }
        case .reorder(let host, let limit):
            await wire.change(host.index) { $0.spread = limit.nanoseconds }
        case .duplicate(let host, let share):
            await wire.change(host.index) { $0.copiesPer10000 = share }
        default: break
        }
    }

    private static func open(
        _ script: LabScript,
        _ space: String,
        _ device: String
    ) throws(Problem) -> Descriptor {
        let number = lab_open_tap("/run/netns/\(script.prefix)-\(space)", device)
        guard number >= 0 else {
            throw Problem(
                .labFailed,
                "\(device) of \(space) cannot be opened: \(String(cString: strerror(errno)))",
                hint: "Faults of packets need /dev/net/tun: load it with modprobe tun, or give it "
                    + "to the container with --device /dev/net/tun."
            )
        }
        return Descriptor(adopting: number)
    }
}
