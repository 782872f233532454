package import Glibc

/// An address of a socket: an IP address with a port.
package struct ProxyAddress: Sendable {
    private let storage: sockaddr_storage

    package init(_ storage: sockaddr_storage) {
        self.storage = storage
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// The text as Go writes it: `127.0.0.1:80`, `[::1]:80`.
    package var text: String {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let flags = NI_NUMERICHOST | NI_NUMERICSERV
        _ = withPointer { getnameinfo($0, $1, &host, socklen_t(host.count), nil, 0, flags) }
        let name = String(
            decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
        return family == AF_INET6 ? "[\(name)]:\(port)" : "\(name):\(port)"
    }

    package var port: Int {
        withPointer { pointer, _ in
            // The port is at the same place in the addresses of IPv4 and IPv6.
            pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }

    /// The bytes of the IP address: 4 or 16, and 4 for an IPv4 address in one of IPv6.
    package var bytes: [UInt8] {
        withUnsafeBytes(of: storage) { raw in
            if family == AF_INET { return Array(raw[4..<8]) }
            let six = Array(raw[8..<24])
            let isMapped = six.prefix(10).allSatisfy { $0 == 0 } && six[10] == 255 && six[11] == 255
            return isMapped ? Array(six.suffix(4)) : six
        }
    }

    func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let size =
            family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(size))
            }
        }
    }
}
