package import ParleyCore
import ParleyKeys

/// The devices that a person can name to pair with.
package struct NamedDevices {
    /// A device at one of its addresses.
    package struct Device: Sendable {
        /// The first eight bytes of the device ID.
        package let hint: UInt64
        /// The device ID in its text form, or as much of it as is known.
        package let text: String
        package let name: String?
        package let address: String

        package init(hint: UInt64, text: String, name: String?, address: String) {
            self.hint = hint
            self.text = text
            self.name = name
            self.address = address
        }

        init(_ id: DeviceID, name: String?, address: String) {
            self.init(hint: id.hint, text: id.text, name: name, address: address)
        }
    }

    /// The devices, those with the most trustworthy names first.
    private let devices: [Device]

    package init(_ devices: [Device]) {
        self.devices = devices
    }

    /// The devices that are linked, in the address book, announced, or were seen lately.
    init(
        _ machine: NodeMachine,
        _ announced: AnnouncedNodes,
        _ acquaintances: Acquaintances,
        at now: Moment
    ) {
        let name = { acquaintances.printableName(of: $0, in: machine) }
        let linked = machine.links.map { link in
            Device(link.device, name: name(link.device), address: link.address)
        }
        let book = machine.dialer.book.entries.compactMap { entry in
            entry.device.map { device in
                Device(
                    device,
                    name: name(device) ?? entry.deviceName?.printable,
                    address: entry.address
                )
            }
        }
        let announced = announced.all.compactMap { node in
            node.hint.map {
                Device(
                    hint: $0,
                    text: node.shortID,
                    name: node.name.printable,
                    address: node.address
                )
            }
        }
        let recent = acquaintances.recent.all(at: now).map {
            Device($0.id, name: $0.name, address: $0.address)
        }
        self.init(linked + book + announced + recent)
    }

    /// The first eight bytes of the ID of the only device that a text means; never those of `own`.
    ///
    /// The text is the name, the beginning of the ID, or the address of the device.
    package func hint(of typed: String, except own: DeviceID) throws(NodeError) -> UInt64 {
        let typed = TypedDevice(typed)
        let known = devices.filter { $0.hint != own.hint }
        let exact =
            (try? DeviceID(parsing: typed.text))?.hint ?? DeviceID.hint(announced: typed.text)
        if let exact, known.contains(where: { $0.hint == exact }) { return exact }
        let meant = known.filter {
            $0.address == typed.text || typed.means($0.name, $0.text)
        }
        return try typed.only(
            of: Dictionary(meant.map { ($0.hint, $0.text) }, uniquingKeysWith: { a, _ in a })
        )
    }

    /// As much of a device's ID as is known, in text form.
    package func text(ofHint hint: UInt64) -> String? {
        devices.first { $0.hint == hint }?.text
    }

    /// The name of a device, if any is known.
    package func name(ofHint hint: UInt64) -> String? {
        devices.first { $0.hint == hint && $0.name?.isEmpty == false }?.name
    }
}
