package import ParleyCore

/// The devices that had a link a short while ago.
///
/// Nodes that share no conversation are linked for some seconds at a time. In between, a person can
/// still ask to pair with such a device.
package struct RecentDevices {
    /// A device with its name and address at its last link.
    package struct Device {
        package let id: DeviceID
        package let name: String?
        package let address: String
        let seenAt: Moment
    }

    /// In the order of their last sight, each device once.
    private var devices: [Device] = []

    /// How long a device is remembered after its last link.
    private static let memory = Interval.seconds(30)
    private static let countMax = 64

    /// A link to a device says hello, or ends; `name` is nil if that is not known any more.
    mutating func saw(_ id: DeviceID, name: String?, address: String, at now: Moment) {
        let known = devices.firstIndex { $0.id == id }.map { devices.remove(at: $0) }
        devices.append(Device(id: id, name: name ?? known?.name, address: address, seenAt: now))
        if devices.count > Self.countMax { devices.removeFirst() }
    }

    /// The name that a device gave on its latest link, if the device is among the last.
    package func name(of id: DeviceID) -> String? { devices.first { $0.id == id }?.name }

    /// The devices that were seen lately.
    package func all(at now: Moment) -> [Device] {
        devices.filter { $0.seenAt + Self.memory > now }
    }
}
