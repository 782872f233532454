/// A host and a port as people write them: `HOST:PORT`, with brackets around an IPv6 address.
package struct HostPort: Hashable, Sendable {
    /// A name, or an IP address without brackets; an address may name its interface after `%`.
    package let host: String
    package let port: UInt16

    /// Reads the text.
    ///
    /// - Throws: `malformed` or `badPort`.
    package init(parsing text: String) throws(AddressError) {
        guard let colon = text.lastIndex(of: ":") else { throw .malformed(text) }
        let digits = text[text.index(after: colon)...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else {
            throw .badPort(String(digits))
        }
        self.port = port
        let written = text[..<colon]
        let isBracketed = written.hasPrefix("[") && written.hasSuffix("]")
        host = String(isBracketed ? written.dropFirst().dropLast() : written)
        guard host.contains(":") == isBracketed, Self.address(host) != nil || Self.isName(host)
        else { throw .malformed(text) }
    }

    /// The IP address of a host, without its interface; nil if it is a name.
    private static func address(_ host: String) -> IPAddress? {
        IPAddress(parsing: String(host.prefix { $0 != "%" }))
    }

    /// Whether `text` is a host name: letters, digits, hyphens, underscores and dots, at most 253
    /// characters.
    ///
    /// A text of digits and dots alone is a mistyped address and not a name.
    private static func isName(_ text: String) -> Bool {
        guard text.utf8.count <= 253 else { return false }
        let isAllowed = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_.".unicodeScalars.contains(scalar))
        }
        return isAllowed && text.unicodeScalars.contains { $0.properties.isAlphabetic }
    }
}
