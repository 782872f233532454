import ParleyCore

extension NodeMachine {
    /// The printable name of a device, nil if the device never sent one.
    func printableName(of device: DeviceID) -> String? {
        guard let name = name(of: device)?.printable, !name.isEmpty else { return nil }
        return name
    }
}
