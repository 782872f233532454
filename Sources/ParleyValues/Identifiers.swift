public import Foundation

/// The identity of a session: messages of one session replace one another.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// The UUID that apps see.
    public let uuid: UUID

    /// Makes the ID with the given UUID, or a new one.
    public init(_ uuid: UUID = UUID()) {
        self.uuid = uuid
    }

    /// The UUID in upper-case hexadecimal with hyphens.
    public var description: String { uuid.uuidString }
}

extension SessionID: Codable {
    /// Reads the JSON of `/v1`.
    public init(from decoder: any Decoder) throws {
        uuid = try UUID(from: decoder)
    }

    /// Writes the JSON of `/v1`.
    public func encode(to encoder: any Encoder) throws {
        try uuid.encode(to: encoder)
    }
}

/// The identity of a message: 32 hexadecimal digits, a hyphen, and a decimal number.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// The text form, which is the same on every node.
    public let description: String

    package init(description: String) {
        self.description = description
    }

    /// Parses the text form of a message ID.
    ///
    /// - Returns: nil unless the text is 32 hexadecimal digits, a hyphen and a number above 0 and
    ///   below 2^48.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 32,
            parts[0].utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let number = UInt64(parts[1]), number > 0, number < 1 << 48, "\(number)" == parts[1]
        else { return nil }
        description = text.lowercased()
    }
}

extension MessageID: Codable {
    /// Reads the JSON of `/v1`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = MessageID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no message ID")
        }
        self = id
    }

    /// Writes the JSON of `/v1`.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}

/// A device, or a guest of a device, as the members of one conversation see it.
public struct Participant: Hashable, Sendable, Codable {
    /// A UUID that is the same on every node of the conversation and differs between conversations.
    public let id: UUID
    /// The device ID in its text form with check characters; of a guest, that of the guest's key.
    public let device: String
    /// The name of the device or guest for people, if this node knows it.
    public let name: String?
    /// The device that has the guest, by its ID; nil for a device that writes by itself.
    public let host: String?
    /// The person to whom the device belongs; nil if unknown, and in messages.
    public package(set) var person: PersonOfDevice?

    private enum CodingKeys: String, CodingKey {
        case id = "participant"
        case device, name, host, person
    }

    package init(id: UUID, device: String, name: String?, host: String? = nil) {
        self.id = id
        self.device = device
        self.name = name
        self.host = host
    }
}
