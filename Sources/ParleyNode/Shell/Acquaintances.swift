package import ParleyCore

/// The devices that had a link since the node was started.
package struct Acquaintances {
    /// The devices of the last moments, whether they share a conversation or not.
    package private(set) var recent = RecentDevices()
    /// The members among them.
    package private(set) var met = MetMembers()

    package init() {}

    /// A link of a device has changed; `isOpen` says whether everybody may join a conversation.
    package mutating func note(
        _ change: LinkNotice.Change,
        of device: DeviceID,
        at address: String,
        _ now: Moment,
        isOpen: (UInt32) -> Bool
    ) {
        switch change {
        case .greeted(_, let name):
            recent.saw(device, name: name.printable, address: address, at: now)
        case .joined(let number): met.met(device, in: number, isOpen: isOpen(number))
        case .closed: recent.saw(device, name: nil, address: address, at: now)
        case .suspected, .full: break
        }
    }

    /// This node has left a conversation.
    package mutating func left(_ conversation: UInt32) { met.left(conversation) }

    /// The printable name of a device that the machine knows, or that had a link lately.
    func printableName(of device: DeviceID, in machine: NodeMachine) -> String? {
        machine.printableName(of: device) ?? recent.name(of: device)
    }
}
