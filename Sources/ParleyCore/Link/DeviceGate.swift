/// The devices to which the operator of a node allows links.
///
/// A link to a barred device ends as soon as TLS has proved the device, and its known addresses are
/// not dialled. Its envelopes are taken from other peers.
package struct DeviceGate: Sendable, Equatable {
    /// Devices that have no link, even if they are allowed.
    package let blocked: Set<DeviceID>
    /// The only devices that may have links; empty if all may.
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
    package func admits(_ device: DeviceID) -> Bool {
        !blocked.contains(device) && (allowed.isEmpty || allowed.contains(device))
    }

    /// Whether the device whose ID begins with these eight bytes is not to be dialled.
    package func bars(_ hint: UInt64) -> Bool {
        blockedHints.contains(hint) || !allowed.isEmpty && !allowedHints.contains(hint)
    }
}

extension LinkTable {
    /// The gate has changed: ends links to devices that are barred now.
    mutating func use(_ gate: DeviceGate, into step: inout Step) {
        self.gate = gate
        for index in indices { closeIfBarred(index, into: &step) }
        for peer in mesh.passiveView.peers where !gate.admits(peer.device) {
            mesh.sharesNothing(peer.device)
        }
    }

    /// Ends a link to a barred device.
    mutating func closeIfBarred(_ index: Int, into step: inout Step) {
        // A link to this node itself ends with a reason of its own.
        guard self[index].device != all.own.device, !gate.admits(self[index].device) else { return }
        self[index].close(saying: .other, text: "it has no links to this device", into: &step)
    }
}
