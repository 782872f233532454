import Foundation
import ParleyNode

/// The present state of the devices that this node knows, and when it heard from them last.
///
/// The times are kept in memory, also of devices whose address the node has forgotten.
struct SeenTable: Sendable {
    private var states: [String: Peer.State] = [:]
    private var times: [String: Date] = [:]

    /// Beyond this number, the times of devices that the node does not know now are dropped.
    private static let countMax = 1_024

    /// Notes the devices that the node knows now.
    mutating func note(_ peers: [Peer], at now: Date) {
        states = Dictionary(peers.map { ($0.device, $0.state) }, uniquingKeysWith: { $1 })
        for peer in peers where peer.state == .connected { times[peer.device] = now }
        if times.count > Self.countMax { times = times.filter { states[$0.key] != nil } }
    }

    /// The state of a device; nil if the node does not know it.
    func state(of device: String) -> Peer.State? { states[device] }

    /// When the node last heard from a device that is not linked; nil if that was before the start
    /// of the page.
    func lastHeard(of device: String) -> Date? {
        switch states[device] {
        case .connected, .reachable: nil
        case .lastSeen, .discovered, .connecting, nil: times[device]
        }
    }
}
