import ParleyCore

extension String {
    /// A name that another device gave to a file or an app, as it may be shown: with a replacement
    /// character for each scalar that is hidden or changes the direction of writing.
    package var shownName: String { PrintableText.replaced(self) }
}

extension NodeMachine {
    /// The printable name of a device, nil if the device never sent one.
    func printableName(of device: DeviceID) -> String? {
        guard let name = name(of: device)?.printable, !name.isEmpty else { return nil }
        return name
    }
}

extension NodeShell {
    /// The printable name of a device, also between the short links to one that shares nothing.
    func printableName(of device: DeviceID) -> String? {
        machine.printableName(of: device) ?? recent.name(of: device)
    }
}
