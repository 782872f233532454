/// The person to whom a device belongs.
public struct PersonOfDevice: Hashable, Sendable, Codable {
    /// The same for all devices of the person: 64 hexadecimal digits.
    public let id: String
    /// The name of the person.
    public let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
