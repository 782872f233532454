/// The TXT record of a node, with the keys `v` (version), `id` (short ID) and `n` (name for
/// people).
package struct ServiceText: Equatable, Sendable {
    package let version: UInt16
    package let shortID: String
    package let deviceName: String

    init(version: UInt16, shortID: String, deviceName: String) {
        self.version = version
        self.shortID = shortID
        self.deviceName = deviceName
    }

    /// Parses the strings of a TXT record from the network.
    ///
    /// Unknown keys and the case of keys are ignored, and the first of duplicate keys counts (RFC
    /// 6763, section 6.4). Invalid UTF-8 in the name is repaired, because only people read it.
    ///
    /// - Throws: `textTooLarge`, `textMissing`, `shortIDMalformed`, `versionMalformed`.
    package init(decoding strings: [[UInt8]]) throws(DiscoveryError) {
        let bytes = strings.reduce(0) { $0 + $1.count + 1 }
        guard bytes <= DiscoveryLimits.receivedTextBytes,
            strings.count <= DiscoveryLimits.receivedTextStrings
        else { throw .textTooLarge(bytes: bytes, strings: strings.count) }

        guard let version = Self.value(of: "v", in: strings) else { throw .textMissing(key: "v") }
        guard let shortID = Self.value(of: "id", in: strings) else { throw .textMissing(key: "id") }
        self.version = try Self.number(version)
        let identity = String(decoding: shortID, as: UTF8.self)
        guard Self.isShortID(identity) else { throw .shortIDMalformed }
        self.shortID = identity
        deviceName = NameText.cleaned(
            String(decoding: Self.value(of: "n", in: strings) ?? [], as: UTF8.self),
            bytesMax: DiscoveryLimits.deviceNameBytes
        )
    }

    /// The strings of the record, at most 400 bytes with their length bytes.
    package var strings: [[UInt8]] {
        var strings = [Array("v=\(version)".utf8), Array("id=\(shortID)".utf8)]
        if !deviceName.isEmpty { strings.append(Array("n=\(deviceName)".utf8)) }
        return strings
    }

    /// Whether `text` is a valid short ID.
    static func isShortID(_ text: String) -> Bool {
        DiscoveryLimits.shortIDCharacters.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte)
            }
    }

    private static func value(of key: String, in strings: [[UInt8]]) -> ArraySlice<UInt8>? {
        for string in strings {
            guard let separator = string.firstIndex(of: 0x3D) else { continue }
            let candidate = string[..<separator]
            guard candidate.count == key.utf8.count,
                zip(candidate, key.utf8).allSatisfy({ $0 | 0x20 == $1 })
            else { continue }
            return string[(separator + 1)...]
        }
        return nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) throws(DiscoveryError) -> UInt16 {
        guard (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != 0x30,
            let number = UInt16(String(decoding: digits, as: UTF8.self))
        else { throw .versionMalformed }
        return number
    }
}
