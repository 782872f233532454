import ParleyCore

extension NodeMachine {
    /// The printable name of a device, nil if the device never sent one.
    func printableName(of device: DeviceID) -> String? {
        guard let name = name(of: device)?.printable, !name.isEmpty else { return nil }
        return name
    }
}

extension String {
    /// The longest prefix of complete characters that fits into `count` bytes of UTF-8.
    func cut(toBytes count: Int) -> String {
        var text = self
        while text.utf8.count > count { text.removeLast() }
        return text
    }
}
