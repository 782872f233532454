import Glibc

/// A TCP port of 127.0.0.1 that the kernel gives to nobody else as long as this value lives.
///
/// Its socket is bound and does not listen: connections are refused until a server listens there,
/// which has to set `SO_REUSEADDR` as this socket does (socket(7)).
package final class ReservedPort: Sendable {
    package let number: Int
    private let socket: Int32

    private struct NotPossible: Error { let code: Int32 }

    /// Reserves a port; a free one for 0.
    ///
    /// - Throws: the reason if somebody else has the port.
    package init(_ port: Int = 0) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var reuses: Int32 = 1
        setsockopt(
            socket,
            SOL_SOCKET,
            SO_REUSEADDR,
            &reuses,
            socklen_t(MemoryLayout<Int32>.size)
        )
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else {
            let code = errno
            close(socket)
            throw NotPossible(code: code)
        }
        self.socket = socket
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }
}
