import ParleyCore

/// What a person typed for a device: a name, the beginning of an ID, or an address.
package struct TypedDevice {
    /// The text in the normal form of names.
    package let text: String
    private let plain: String

    /// The shortest beginning of an ID that means a device, in characters.
    private static let prefixMin = 4

    package init(_ typed: String) {
        text = GivenName.normal(typed)
        plain = Self.plain(text)
    }

    /// Whether the text is this name, or the beginning of this ID.
    package func means(_ name: String?, _ id: String) -> Bool {
        name?.lowercased() == text.lowercased()
            || plain.utf8.count >= Self.prefixMin && Self.plain(id).hasPrefix(plain)
    }

    /// The only device among those that the text means, each with its ID in text form.
    ///
    /// - Throws: `unknownDevice` if there is none, `ambiguousDevice` if there are several.
    package func only<Device>(of meant: [Device: String]) throws(NodeError) -> Device {
        guard let first = meant.first else { throw .unknownDevice(text) }
        guard meant.count == 1 else {
            throw .ambiguousDevice(text, devices: meant.values.sorted())
        }
        return first.key
    }

    /// The characters of a device ID without separators.
    private static func plain(_ text: String) -> String {
        text.filter { $0 != "-" && $0 != " " }.uppercased()
    }
}
