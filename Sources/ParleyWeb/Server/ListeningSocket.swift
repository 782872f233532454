import Glibc
import NIOCore
import ParleyLoop

extension Descriptor {
    /// A socket that listens on an address and does not block.
    ///
    /// - Throws: `IOError` of the call that failed.
    static func listening(on address: SocketAddress) throws -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(CInt(address.protocol.rawValue), kind, 0)
        guard number >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        let listener = Descriptor(adopting: number)
        var reuses: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &reuses, size)
        let bound = address.withSockAddr { bind(number, $0, socklen_t($1)) }
        guard bound == 0 else { throw IOError(errnoCode: errno, reason: "bind") }
        guard listen(number, AcceptLoop.Limits().backlog) == 0 else {
            throw IOError(errnoCode: errno, reason: "listen")
        }
        return listener
    }

    /// The port that a TCP socket is bound to.
    var port: Int {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(number, $0, &size)
            }
            // The port is at the same place in the addresses of IPv4 and IPv6.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }
}
