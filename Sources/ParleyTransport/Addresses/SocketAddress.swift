package import ParleyCore

/// The address of a socket: an IP address, a port, and for link-local addresses an interface.
///
/// A link-local address is ambiguous without its interface, so every such value has an interface.
package struct SocketAddress: Hashable, Sendable {
    /// The address without its port.
    package let ip: IPAddress
    /// The port; 0 asks the kernel to choose one.
    package let port: UInt16
    /// The index of the interface for a link-local address, 0 for every other one.
    package let interface: UInt32

    /// Makes an address from its parts; the interface is ignored unless `ip` is link-local.
    ///
    /// - Throws: `AddressError.missingInterface` for a link-local address with interface 0.
    package init(ip: IPAddress, port: UInt16, interface: UInt32 = 0) throws(AddressError) {
        let ip = ip.unmapped
        if ip.isLinkLocal, interface == 0 { throw .missingInterface }
        self.ip = ip
        self.port = port
        self.interface = ip.isLinkLocal ? interface : 0
    }

    private init(unscoped ip: IPAddress, port: UInt16) {
        self.ip = ip
        self.port = port
        interface = 0
    }

    /// The unspecified addresses of IPv6 and IPv4, for listening on all addresses of this machine.
    package static func any(port: UInt16) -> [SocketAddress] {
        [
            SocketAddress(unscoped: .v6(.zero), port: port),
            SocketAddress(unscoped: .v4(0), port: port),
        ]
    }

    /// 127.0.0.1.
    package static func loopback4(port: UInt16) -> SocketAddress {
        SocketAddress(unscoped: .v4(0x7f00_0001), port: port)
    }

    /// `::1`.
    package static func loopback6(port: UInt16) -> SocketAddress {
        SocketAddress(unscoped: .v6(Bytes16(0, 1)), port: port)
    }

    /// The same address with another port.
    package func with(port: UInt16) -> SocketAddress {
        SocketAddress(checked: ip, port: port, interface: interface)
    }

    private init(checked ip: IPAddress, port: UInt16, interface: UInt32) {
        self.ip = ip
        self.port = port
        self.interface = interface
    }
}

/// An IP address without port and interface.
package enum IPAddress: Hashable, Sendable {
    /// The four bytes read as a big-endian number.
    case v4(UInt32)
    case v6(Bytes16)

    /// The address of 4 or 16 bytes in network order, or nil.
    package init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self = .v4(Slice(bytes).bigEndian(at: 0))
        case 16: self = .v6(Bytes16(reading: Slice(bytes), at: 0))
        default: return nil
        }
    }

    package var isV4: Bool {
        if case .v4 = self { true } else { false }
    }

    /// 169.254.0.0/16 and `fe80::/10`.
    package var isLinkLocal: Bool {
        switch self {
        case .v4(let number): number >> 16 == 0xa9fe
        case .v6(let bytes): bytes.words.0 >> 54 == 0xfe80 >> 6
        }
    }

    /// 127.0.0.0/8 and `::1`.
    package var isLoopback: Bool {
        switch self {
        case .v4(let number): number >> 24 == 127
        case .v6(let bytes): bytes == Bytes16(0, 1)
        }
    }

    /// 0.0.0.0 and `::`: every address of this machine.
    package var isUnspecified: Bool {
        switch self {
        case .v4(let number): number == 0
        case .v6(let bytes): bytes == .zero
        }
    }

    /// Whether one machine can have the address: it is a unicast address and not unspecified.
    package var isHost: Bool {
        switch self {
        case .v4(let number): number >> 24 != 0 && number >> 28 < 0xe
        case .v6(let bytes): bytes != .zero && bytes.words.0 >> 56 != 0xff
        }
    }

    /// The address in IPv6 form: an IPv4 address is mapped.
    package var mapped: Bytes16 {
        switch self {
        case .v4(let number): Bytes16(0, 0xffff << 32 | UInt64(number))
        case .v6(let bytes): bytes
        }
    }

    /// Undoes `mapped`.
    package init(mapped bytes: Bytes16) { self = IPAddress.v6(bytes).unmapped }

    /// The IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:0:0/96`), or the address
    /// itself.
    var unmapped: IPAddress {
        switch self {
        case .v4: self
        case .v6(let bytes):
            bytes.words.0 == 0 && bytes.words.1 >> 32 == 0xffff
                ? .v4(UInt32(truncatingIfNeeded: bytes.words.1)) : self
        }
    }
}

/// Why a text or the parts of an address are not valid.
package enum AddressError: Error, Hashable, Sendable {
    /// The text is not of the form `HOST:PORT` or `[HOST]:PORT`.
    case malformed(String)
    /// The text has the name of a host where only the number of an address is meant.
    case hostName(String)
    /// The port is not a number from 0 to 65,535.
    case badPort(String)
    /// The address of a node to dial has port 0, which means any free port to a listener only.
    case noPort(String)
    /// A link-local address was written without its interface.
    case missingInterface
    /// This machine has no interface of that name.
    case noSuchInterface(String)
    /// The address belongs to no single machine, or only this machine can reach it.
    case notOneHost(String)
}

extension AddressError: CustomStringConvertible {
    /// One sentence without a full stop.
    package var description: String {
        switch self {
        case .malformed(let text): "\"\(text)\" is not of the form HOST:PORT or [IPV6]:PORT"
        case .hostName(let text):
            "\"\(text)\" has a name; an address to listen on has numbers, as 127.0.0.1:27275 has"
        case .badPort(let text): "\"\(text)\" is not a port, a number from 0 to 65535"
        case .noPort(let text): "\"\(text)\" has port 0, at which no node can be reached"
        case .missingInterface: "a link-local address needs its interface, as in [fe80::1%eth0]:1"
        case .noSuchInterface(let name): "this machine has no interface \(name)"
        case .notOneHost(let text): "\"\(text)\" does not lead to another machine"
        }
    }
}
