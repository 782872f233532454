/// A device that people have put on a list: it may have no link to this node, or is among the only
/// ones that may.
package struct ListedDevice: Sendable, Hashable, Codable {
    /// What the device may.
    package enum List: String, Sendable, Codable {
        case blocked
        case allowed
    }

    /// The ID of the device.
    package let device: String
    /// The name that it had when it was listed, if one was known.
    package let name: String?
    /// The list that it is on.
    package let list: List

    package init(device: String, name: String? = nil, list: List) {
        self.device = device
        self.name = name
        self.list = list
    }
}
