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
