import Glibc
import ParleyCore

extension SocketAddress {
    /// AF_INET or AF_INET6.
    var family: Int32 {
        switch ip {
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }

    /// Calls `body` with the address as a `sockaddr` for system calls.
    func withSystemAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch ip {
        case .v4(let number):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = number.bigEndian
            return Self.call(body, with: &address)
        case .v6(let bytes):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6_addr(bytes)
            address.sin6_scope_id = interface
            return Self.call(body, with: &address)
        }
    }

    /// Converts a `sockaddr_storage` that a system call has filled in; nil for other address
    /// families.
    ///
    /// `fallback` is the interface of a link-local address for which the kernel gives none.
    init?(_ storage: sockaddr_storage, interface fallback: UInt32 = 0) {
        var storage = storage
        let family = Int32(storage.ss_family)
        let parts: (IPAddress, UInt16, UInt32)? = withUnsafePointer(to: &storage) { pointer in
            let raw = UnsafeRawPointer(pointer)
            switch family {
            case AF_INET:
                let four = raw.load(as: sockaddr_in.self)
                let ip = IPAddress.v4(UInt32(bigEndian: four.sin_addr.s_addr))
                return (ip, UInt16(bigEndian: four.sin_port), fallback)
            case AF_INET6:
                let six = raw.load(as: sockaddr_in6.self)
                let ip = IPAddress.v6(Bytes16(six.sin6_addr))
                let interface = six.sin6_scope_id == 0 ? fallback : six.sin6_scope_id
                return (ip, UInt16(bigEndian: six.sin6_port), interface)
            default:
                return nil
            }
        }
        guard let (ip, port, interface) = parts,
            let address = try? SocketAddress(ip: ip, port: port, interface: interface)
        else {
            // The only possible error is a link-local address without interface, which nobody can
            // dial.
            return nil
        }
        self = address
    }

    private static func call<Address, Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result,
        with address: inout Address
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

extension Bytes16 {
    init(_ address: in6_addr) {
        self = withUnsafeBytes(of: address) { raw in
            Bytes16(
                UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

extension in6_addr {
    init(_ bytes: Bytes16) {
        self.init()
        withUnsafeMutableBytes(of: &self) { raw in
            raw.storeBytes(of: bytes.words.0.bigEndian, as: UInt64.self)
            raw.storeBytes(of: bytes.words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
    }
}
