/// The person to whom a node's device belongs.
package struct PersonDocument: Codable, Hashable, Sendable {
    /// A device of the person.
    package struct Device: Codable, Hashable, Sendable {
        package var device: String
        package var name: String?
        /// Whether it is the device of the node.
        package var own: Bool

        package init(device: String, name: String?, own: Bool) {
            self.device = device
            self.name = name
            self.own = own
        }
    }

    /// The same for all devices of the person; nil while the device is linked to no other one.
    package var id: String?
    package var name: String?
    /// The device of the node first; then those of the same person that share a conversation.
    package var devices: [Device]

    package init(id: String?, name: String?, devices: [Device]) {
        self.id = id
        self.name = name
        self.devices = devices
    }
}
