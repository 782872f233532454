package import NIOCore
import Synchronization

/// The connections of one server, and the choice of a connection to close if there are too many.
///
/// A connection is a stranger until a request proves its sender. Strangers have few slots for a
/// short time, so that they cannot keep a known sender out.
package final class ConnectionSlots: Sendable {
    /// The limits of a server's connections.
    package struct Limits: Sendable {
        /// The most connections.
        package var all = 256
        /// The most connections of strangers.
        package var strangers = 64
        /// The time for which a stranger may stay connected, whatever it sends.
        package var patience = TimeAmount.seconds(10)

        package init() {}
    }

    private struct Slot {
        let channel: any Channel
        let arrival: Int
        /// The address of the other end, without its port.
        let host: String
        /// The end of a stranger's patience; nil for a known sender.
        var end: Scheduled<Void>?
    }

    private let limits: Limits
    /// In the order of their arrival.
    private let slots = Mutex<[Slot]>([])
    private let isEnding = Mutex(false)

    /// Slots within `limits`, all free.
    package init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Gives a slot to a new connection, whose sender is a stranger; `arrival` counts connections
    /// in the order of accepting, which is not the order of the calls.
    ///
    /// If no slot is free, the host with the most strangers loses its oldest, perhaps the new
    /// connection. So a host with many connections takes no slot from other hosts.
    package func take(_ channel: any Channel, arrival: Int) {
        let host = channel.remoteAddress?.ipAddress ?? ""
        let end = channel.eventLoop.scheduleTask(in: limits.patience) {
            channel.close(promise: nil)
        }
        let leaving = slots.withLock { slots in
            let place = slots.lastIndex { $0.arrival < arrival }.map { $0 + 1 } ?? 0
            slots.insert(Slot(channel: channel, arrival: arrival, host: host, end: end), at: place)
            let strangers = slots.indices.filter { slots[$0].end != nil }
            guard slots.count > limits.all || strangers.count > limits.strangers else {
                return nil as Slot?
            }
            let counts = Dictionary(strangers.map { (slots[$0].host, 1) }, uniquingKeysWith: +)
            let most = counts.values.max()
            return strangers.first { counts[slots[$0].host] == most }.map { slots.remove(at: $0) }
        }
        leaving?.end?.cancel()
        leaving?.channel.close(promise: nil)
        if isEnding.withLock({ $0 }) { Self.quiesce(channel) }
    }

    /// Keeps the slot of a connection whose sender is known.
    package func keep(_ channel: any Channel) {
        let end = slots.withLock { slots in
            guard let index = slots.firstIndex(where: { $0.channel === channel }) else {
                return nil as Scheduled<Void>?
            }
            defer { slots[index].end = nil }
            return slots[index].end
        }
        end?.cancel()
    }

    /// Frees the slot of a connection that has ended.
    package func leave(_ channel: any Channel) {
        let slot = slots.withLock { slots in
            slots.firstIndex { $0.channel === channel }.map { slots.remove(at: $0) }
        }
        slot?.end?.cancel()
    }

    /// Ends all connections, present and later, each after its current response.
    package func quiesce() {
        isEnding.withLock { $0 = true }
        for slot in slots.withLock({ $0 }) { Self.quiesce(slot.channel) }
    }

    private static func quiesce(_ channel: any Channel) {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
}
