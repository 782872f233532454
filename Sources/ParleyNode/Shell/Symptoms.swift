package import Foundation
package import ParleyTransport

/// The signs of trouble between devices that a node has seen since its start.
package struct Symptoms {
    /// The last connection of a node of another machine to this one.
    package private(set) var visit: Visit?
    /// The last address of another process with the key of this device.
    package private(set) var copy: String?
    /// The last message from the future of each device, the latest at the end.
    ///
    /// A right message of the device removes the entry.
    private var aheads: [AheadMessage] = []

    /// The most devices with a noted message from the future: with more of them, the clock here is
    /// behind.
    package static let aheadsMax = 16

    package init() {}

    /// The last message from the future whose device has sent no right one since, while it is the
    /// future.
    package func ahead(at now: Date) -> AheadMessage? { aheads.last { $0.sentAt > now } }

    /// A node has connected to this one.
    package mutating func visited(from remote: SocketAddress, at now: Date) {
        guard !LocalAddress.isHere(remote.ip) else { return }
        visit = Visit(address: remote.description, at: now)
    }

    /// Two processes have the key of a device, which is this one's if `isOwn`.
    package mutating func duplicate(at address: String, isOwn: Bool) {
        if isOwn { copy = address }
    }

    /// A message of another device is shown.
    ///
    /// - Returns: the message if it is from the future, unlike the last one of the device.
    package mutating func shown(
        sentAt date: Date,
        by sender: Participant,
        at now: Date
    ) -> AheadMessage? {
        let found = AheadMessage(sentAt: date, by: sender, at: now)
        let known = aheads.firstIndex { $0.device == sender.device }
        if let known { aheads.remove(at: known) }
        guard let found, aheads.count < Self.aheadsMax else { return nil }
        aheads.append(found)
        return known == nil ? found : nil
    }
}
