/// A request to pair.
package struct PairRequest: Codable, Hashable, Sendable {
    /// A name, the beginning of a device ID, or an address.
    package var device: String
    /// The conversation to share, if any.
    package var conversation: String?
    /// The role that the other device gets; the default is `writer`.
    package var role: String?
    /// Whether the device is another one of the person here; then all conversations are shared.
    package var own: Bool?

    package init(
        device: String,
        conversation: String? = nil,
        role: String? = nil,
        own: Bool? = nil
    ) {
        self.device = device
        self.conversation = conversation
        self.role = role
        self.own = own
    }
}
