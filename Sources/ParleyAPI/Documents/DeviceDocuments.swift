/// A device that is blocked, or among the only ones that may have links.
package struct ListedDeviceDocument: Codable, Hashable, Sendable {
    package var device: String
    /// The name that the device had when it was listed.
    package var name: String?
    /// `blocked` or `allowed`.
    package var list: String

    package init(device: String, name: String? = nil, list: String) {
        self.device = device
        self.name = name
        self.list = list
    }
}

/// A request to put a device on a list, or to take it from there.
package struct ListRequest: Codable, Hashable, Sendable {
    /// The ID of a device, or the name or the beginning of the ID of one that is known.
    package var device: String
    /// `blocked` or `allowed`.
    package var list: String
    /// Whether to take the device from the list; the default is to put it there.
    package var remove: Bool?

    package init(device: String, list: String, remove: Bool? = nil) {
        self.device = device
        self.list = list
        self.remove = remove
    }
}
