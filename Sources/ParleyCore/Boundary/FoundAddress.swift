/// An address with claims about it, none of which is proved.
package struct FoundAddress: Sendable, Equatable {
    package enum Source: UInt8, Sendable, Comparable {
        /// Told by a peer that shares a conversation.
        case told
        /// Announced on the network.
        case discovered
        /// Worked before.
        case remembered
        /// Given by a person.
        case configured

        package static func < (left: Source, right: Source) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// The address that the shell dials; equal text is the same address.
    package let text: String
    package let source: Source
    /// The device that answered there before, if any did.
    package let device: DeviceID?
    /// The first eight bytes of the ID of the device that should answer there, if it is known.
    package let hint: UInt64?
    /// The announced name, for people.
    package let deviceName: String?

    /// An address; the hint follows from the device, if that is known.
    package init(
        text: String,
        source: Source,
        device: DeviceID? = nil,
        hint: UInt64? = nil,
        deviceName: String? = nil
    ) {
        self.text = text
        self.source = source
        self.device = device
        self.hint = device?.hint ?? hint
        self.deviceName = deviceName
    }

    /// Whether an address is link-local, and so of no use to others: the text names an interface.
    static func isLinkLocal(_ text: String) -> Bool { text.contains("%") }
}
