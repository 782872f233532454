import ParleyCore

/// What people call the devices that this node has heard of.
struct DeviceNames {
    private var names: [DeviceID: String] = [:]

    /// Names kept; later ones are not learned.
    static let countMax = 65_536

    mutating func learn(_ name: String, of device: DeviceID) {
        guard names.count < Self.countMax || names[device] != nil else { return }
        names[device] = name
    }

    subscript(device: DeviceID) -> String? { names[device] }
}

extension String {
    /// The longest prefix of whole characters that fits into `count` bytes of UTF-8.
    func cut(toBytes count: Int) -> String {
        var text = self
        while text.utf8.count > count { text.removeLast() }
        return text
    }
}
