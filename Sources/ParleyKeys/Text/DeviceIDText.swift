package import ParleyCore

/// Why a text is not a device ID.
package enum DeviceIDTextError: Error, Equatable, Sendable {
    /// `position` counts characters from 1, hyphens and spaces included.
    case alphabet(character: Character, position: Int)
    /// The text has `count` characters instead of 56, not counting hyphens and spaces.
    case length(count: Int)
    /// The check character of group `group` (1 to 4, each of 14 characters) is wrong, so that group
    /// contains a typo.
    case checkCharacter(group: Int)
    /// The check characters are right, but the 52 characters encode more than 256 bits.
    case excessBits
}

extension DeviceIDTextError: CustomStringConvertible {
    /// The stable name of the error.
    package var name: String { "deviceID" }

    /// The problem, in one sentence.
    package var message: String {
        switch self {
        case .alphabet(let character, let position):
            "The text contains \(character.shown) at position \(position); no device ID does."
        case .length(let count):
            "A device ID has 56 letters and digits, not \(count)."
        case .checkCharacter(let group):
            "The device ID has a typo in its characters \(group * 14 - 13) to \(group * 14)"
                + " (hyphens not counted)."
        case .excessBits: "No device has this ID: its last group is impossible."
        }
    }

    /// The remedy, in one sentence.
    package var hint: String {
        "Copy it again from the other machine; it has only letters A to Z and digits 2 to 7."
    }

    package var description: String { "\(message) \(hint)" }
}

extension DeviceID {
    /// The ID for people: 8 groups of 7 characters with hyphens between them.
    ///
    /// Base32 (RFC 4648, no padding) of the 32 bytes, with a check character after every 13
    /// characters.
    package var text: String {
        let values = Base32.values(bytes)
        var checked: [UInt8] = []
        for start in stride(from: 0, to: values.count, by: DeviceID.checkedLength) {
            let group = values[start..<start + DeviceID.checkedLength]
            checked += group
            checked.append(Base32.checkValue(group))
        }
        return Base32.text(checked[...], hyphenEvery: DeviceID.shownLength)
    }

    /// The first 8 characters of the base32 form: 40 bits, too few to authenticate a device.
    package var shortText: String { Base32.text(Base32.values(bytes)[..<8]) }

    /// Parses the format of `text`.
    ///
    /// Case, hyphens and spaces are ignored, and 0, 1 and 8 are read as O, I and B.
    package init(parsing text: String) throws(DeviceIDTextError) {
        var values: [UInt8] = []
        for (index, character) in text.enumerated() where character != "-" && character != " " {
            guard let value = Base32.value(character) else {
                throw .alphabet(character: character, position: index + 1)
            }
            values.append(value)
        }
        let groupLength = DeviceID.checkedLength + 1
        guard values.count == 4 * groupLength else { throw .length(count: values.count) }
        var data: [UInt8] = []
        for group in 0..<4 {
            let content = values[group * groupLength..<group * groupLength + groupLength - 1]
            guard values[group * groupLength + groupLength - 1] == Base32.checkValue(content)
            else { throw .checkCharacter(group: group + 1) }
            data += content
        }
        guard let value = Bytes32(Base32.bytes(data)), Base32.values(value.bytes) == data else {
            throw .excessBits
        }
        self.init(value)
    }

    private static let checkedLength = 13
    private static let shownLength = 7
}
