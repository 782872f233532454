import Glibc
import ParleyCore

extension SocketAddress: CustomStringConvertible {
    /// Parses `IPV4:PORT` or `[IPV6]:PORT`, with `%INTERFACE` after a link-local address.
    package init(parsing text: String) throws(AddressError) {
        guard case .address(let address) = try Endpoint(parsing: text) else {
            throw .hostName(text)
        }
        self = address
    }

    /// The text form that `init(parsing:)` reads: `127.0.0.1:27275`, `[fe80::1%eth0]:27275`.
    package var description: String {
        let zone = interface == 0 ? "" : "%" + Interface.name(of: interface)
        return switch ip {
        case .v4: "\(ip)\(zone):\(port)"
        case .v6: "[\(ip)\(zone)]:\(port)"
        }
    }

    /// Whether this node may dial the address `told` by a peer.
    ///
    /// The address must be an IP address of one machine, with a port. A loopback address is allowed
    /// only if the peer's link, at `link`, is on the loopback too. So peers cannot make this node
    /// ask name servers, or talk to programs that listen on the loopback only.
    package static func mayDial(_ told: String, toldFrom link: String) -> Bool {
        guard let address = try? SocketAddress(parsing: told), address.port > 0, address.ip.isHost
        else { return false }
        return !address.ip.isLoopback || (try? SocketAddress(parsing: link))?.ip.isLoopback == true
    }

    /// The address `host` with `port`, or nil if `host` is not an IP address.
    init?(host: String, port: UInt16) throws(AddressError) {
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let ip = IPAddress(parsing: String(first)) else {
            return nil
        }
        var interface: UInt32 = 0
        if parts.count == 2 { interface = try Interface.index(of: String(parts[1])) }
        try self.init(ip: ip, port: port, interface: interface)
    }
}

extension IPAddress: CustomStringConvertible {
    /// Parses dotted decimal or the text form of RFC 4291; nil for any other text.
    package init?(parsing text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self = .v4(UInt32(bigEndian: four.s_addr))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self = .v6(Bytes16(six))
        } else {
            return nil
        }
    }

    /// Dotted decimal, or the text form of RFC 5952.
    package var description: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch self {
        case .v4(let number):
            var four = in_addr(s_addr: number.bigEndian)
            inet_ntop(AF_INET, &four, &buffer, socklen_t(buffer.count))
        case .v6(let bytes):
            var six = in6_addr(bytes)
            inet_ntop(AF_INET6, &six, &buffer, socklen_t(buffer.count))
        }
        let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Names and numbers of this machine's interfaces.
enum Interface {
    /// The index of the interface `name`, which may also be the index as a number.
    static func index(of name: String) throws(AddressError) -> UInt32 {
        let index = if_nametoindex(name)
        if index != 0 { return index }
        guard let number = UInt32(name), number != 0 else { throw .noSuchInterface(name) }
        return number
    }

    /// The name of interface `index`, or the number if there is no such interface any more.
    static func name(of index: UInt32) -> String {
        var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &buffer) != nil else { return String(index) }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
    }
}
