package import Foundation
package import ParleyNode

/// The presence of a device, as far as a page knows it without guessing.
package enum Presence: Hashable, Sendable {
    /// There is a working link.
    case connected
    /// Messages reach the device through other nodes; if there is only one, the value is its name.
    case throughOthers(String?)
    /// There is a link, which does not answer at the moment.
    case unresponsive
    /// Neither connected nor reachable; the time is when the node last heard from the device, if
    /// ever.
    case away(Date?)
}

/// The present state of the known devices, and when this node last heard from each.
///
/// The times are kept in memory, also of devices whose address the node has forgotten.
package struct SeenTable: Sendable {
    private var states: [String: Peer.State] = [:]
    /// The names of the devices through which messages reach others.
    private var ways: [String: String] = [:]
    /// When others last heard of the devices that are away.
    private var left: [String: Date] = [:]
    private var times: [String: Date] = [:]
    /// For each device without a link, when its last message was written that other nodes brought
    /// at once.
    private var brought: [String: Date] = [:]

    /// How long a message says that its author is there, in seconds.
    package static let freshness: TimeInterval = 300
    /// Beyond this number, the times of devices that the node does not know now are dropped.
    private static let countMax = 1_024

    package init() {}

    /// Notes the states of the devices that the node knows now.
    package mutating func note(_ present: [Peer], at now: Date) {
        states = Dictionary(present.map { ($0.device, $0.state) }) { $1 }
        ways = Dictionary(present.compactMap { peer in peer.through.map { (peer.device, $0) } }) {
            $1
        }
        left = [:]
        for peer in present {
            if peer.state == .lastSeen { left[peer.device] = peer.seen }
            if let seen = peer.seen { times[peer.device] = max(times[peer.device] ?? seen, seen) }
            guard peer.state == .connected else { continue }
            times[peer.device] = now
            brought[peer.device] = nil
        }
        if times.count > Self.countMax { times = times.filter { states[$0.key] != nil } }
        if brought.count > Self.countMax { brought = brought.filter { isFresh($0.value, at: now) } }
    }

    /// Notes a message that has just arrived.
    ///
    /// Only a message written a moment ago says something about its author, as older messages come
    /// whenever nodes meet.
    ///
    /// - Returns: Whether this may have changed the presence of the author.
    package mutating func arrived(from device: String, writtenAt time: Date, at now: Date) -> Bool {
        switch states[device] {
        case .connected, .unresponsive: return false
        case .throughOthers, .lastSeen, .configured, .discovered, .connecting, nil: break
        }
        // The clock of the author may be wrong.
        guard isFresh(time, at: now) else { return false }
        let before = brought.updateValue(min(time, now), forKey: device)
        return before.map { !isFresh($0, at: now) } ?? true
    }

    /// The presence of a device in a conversation; `links` are the names of the other devices that
    /// share the conversation and have a working link.
    package func presence(of device: String, links: [String?], at now: Date) -> Presence {
        switch states[device] {
        case .connected: return .connected
        case .unresponsive: return .unresponsive
        case .throughOthers: return .throughOthers(ways[device])
        case .lastSeen, .configured, .discovered, .connecting, nil: break
        }
        let written = brought[device]
        let isLater = written.map { $0 > left[device] ?? .distantPast } ?? false
        if let written, isLater, isFresh(written, at: now), !links.isEmpty {
            return .throughOthers(links.count == 1 ? links[0] : nil)
        }
        return .away([times[device], written].compactMap(\.self).max())
    }

    /// Whether the device has a working link.
    func isConnected(_ device: String) -> Bool { states[device] == .connected }

    private func isFresh(_ time: Date, at now: Date) -> Bool {
        abs(now.timeIntervalSince(time)) < Self.freshness
    }
}
