/// A device on a list that people made: blocked devices may have no link to this node, and if there
/// are allowed devices, no others may.
package struct ListedDevice: Sendable, Hashable, Codable {
    /// The list on which the device is.
    package enum List: String, Sendable, Codable {
        case blocked
        case allowed
    }

    /// The ID of the device.
    package let device: String
    /// The name of the device at the time of the listing, if known.
    package let name: String?
    /// The list that it is on.
    package let list: List

    package init(device: String, name: String? = nil, list: List) {
        self.device = device
        self.name = name
        self.list = list
    }
}
