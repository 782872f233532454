/// The devices to which this node may have links, as the people who operate it say.
///
/// A link to another device ends as soon as TLS has proved which device it is, and known addresses
/// of such a device are not dialled. Envelopes of the device that come from others are taken.
package struct DeviceGate: Sendable, Equatable {
    /// Devices that have no link, whatever else is said of them.
    package let blocked: Set<DeviceID>
    /// The only devices that have links; if there are none, all others may.
    package let allowed: Set<DeviceID>
    private let blockedHints: Set<UInt64>
    private let allowedHints: Set<UInt64>

    /// A gate with these devices; by default it is open to everybody.
    package init(blocked: Set<DeviceID> = [], allowed: Set<DeviceID> = []) {
        self.blocked = blocked
        self.allowed = allowed
        blockedHints = Set(blocked.map(\.hint))
        allowedHints = Set(allowed.map(\.hint))
    }

    /// Whether a device may have a link.
    func admits(_ device: DeviceID) -> Bool {
        !blocked.contains(device) && (allowed.isEmpty || allowed.contains(device))
    }

    /// Whether the device whose ID begins with these eight bytes is not to be dialled.
    package func bars(_ hint: UInt64) -> Bool {
        blockedHints.contains(hint) || !allowed.isEmpty && !allowedHints.contains(hint)
    }
}

extension LinkTable {
    /// The gate has changed: links to devices that may have none any more end.
    mutating func use(_ gate: DeviceGate, into step: inout Step) {
        self.gate = gate
        for index in indices { closeIfBarred(index, into: &step) }
        for peer in mesh.passiveView.peers where !gate.admits(peer.device) {
            mesh.sharesNothing(peer.device)
        }
    }

    /// Ends a link to a device that may have none.
    mutating func closeIfBarred(_ index: Int, into step: inout Step) {
        // A link to this node itself ends with a reason of its own.
        guard self[index].device != own.device, !gate.admits(self[index].device) else { return }
        close(index, saying: .other, text: "it has no links to this device", into: &step)
    }
}
