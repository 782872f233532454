/// The location of a peer as a person gave it: an address, or a host name that each dial resolves.
package enum Endpoint: Hashable, Sendable {
    case address(SocketAddress)
    case name(String, port: UInt16)

    package var port: UInt16 {
        switch self {
        case .address(let address): address.port
        case .name(_, let port): port
        }
    }

    /// Parses `HOST:PORT`; HOST is an IPv4 address, an IPv6 address in brackets, or a name.
    ///
    /// An address may name its interface after `%`.
    package init(parsing text: String) throws(AddressError) {
        let parts = try HostPort(parsing: text)
        if let address = try SocketAddress(host: parts.host, port: parts.port) {
            self = .address(address)
        } else {
            self = .name(parts.host, port: parts.port)
        }
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
