import Glibc

/// The location of a peer as a person gave it: an address, or a host name that each dial resolves.
package enum Endpoint: Hashable, Sendable {
    case address(SocketAddress)
    case name(String, port: UInt16)

    /// Parses `HOST:PORT`; HOST is an IPv4 address, an IPv6 address in brackets, or a name.
    ///
    /// An address may name its interface after `%`.
    package init(parsing text: String) throws(AddressError) {
        let (host, port) = try Self.split(text)
        if let address = try SocketAddress(host: host, port: port) {
            self = .address(address)
            return
        }
        guard !text.hasPrefix("["), Self.isName(host) else { throw .malformed(text) }
        self = .name(host, port: port)
    }

    private static func split(_ text: String) throws(AddressError) -> (String, UInt16) {
        guard let colon = text.lastIndex(of: ":") else { throw .malformed(text) }
        let digits = text[text.index(after: colon)...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else {
            throw .badPort(String(digits))
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = String(host.dropFirst().dropLast())
            guard inner.contains(":") else { throw .malformed(text) }
            return (inner, port)
        }
        guard !host.isEmpty, !host.contains(":") else { throw .malformed(text) }
        return (String(host), port)
    }

    /// Whether `text` is a host name: letters, digits, hyphens, underscores and dots, at most 253
    /// characters.
    ///
    /// A text of digits and dots alone is a mistyped address and not a name.
    private static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count <= 253 else { return false }
        let isAllowed = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_.".unicodeScalars.contains(scalar))
        }
        return isAllowed && text.unicodeScalars.contains { $0.properties.isAlphabetic }
    }
}

extension Endpoint: CustomStringConvertible {
    /// The text form that `init(parsing:)` reads.
    package var description: String {
        switch self {
        case .address(let address): address.description
        case .name(let name, let port): "\(name):\(port)"
        }
    }
}
