import Foundation
import Glibc

/// Notifies a service manager, as systemd's `sd_notify` does.
package enum ServiceNotice {
    /// Sends a line to the socket that `NOTIFY_SOCKET` names, if it is set.
    ///
    /// - Returns: whether the line was sent.
    @discardableResult
    package static func send(
        _ line: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        guard let name = environment["NOTIFY_SOCKET"], let first = name.utf8.first,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
        else { return false }
        var path = Array(name.utf8)
        // The name of an abstract socket begins with a zero byte.
        if first == UInt8(ascii: "@") { path[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // The length marks the end of an abstract name; a path includes its terminating zero.
        let length = MemoryLayout<sa_family_t>.size + path.count + (path[0] == 0 ? 0 : 1)
        let bytes = Array(line.utf8)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    descriptor,
                    bytes,
                    bytes.count,
                    Int32(truncatingIfNeeded: MSG_NOSIGNAL),
                    $0,
                    socklen_t(length)
                )
            }
        }
        return sent == bytes.count
    }
}
