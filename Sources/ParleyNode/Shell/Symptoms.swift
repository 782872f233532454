package import Foundation
package import ParleyTransport

/// The signs of trouble between devices that a node has seen since its start.
package struct Symptoms {
    /// The last connection of a node of another machine to this one.
    package private(set) var visit: Visit?
    /// The last address of another process with the key of this device.
    package private(set) var copy: String?
    /// The last message from the future; nil after the same device sends a message that is not.
    package private(set) var ahead: AheadMessage?

    package init() {}

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
    /// - Returns: the message if it is from the future, and the last such message was another
    ///   device's.
    package mutating func shown(
        sentAt date: Date,
        by sender: Participant,
        at now: Date
    ) -> AheadMessage? {
        let found = AheadMessage(sentAt: date, by: sender, at: now)
        let isNew = found?.device != ahead?.device
        guard found != nil || ahead?.device == sender.device else { return nil }
        ahead = found
        return isNew ? found : nil
    }
}
