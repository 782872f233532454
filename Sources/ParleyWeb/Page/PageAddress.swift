import Foundation
package import ParleyTransport

/// Where the page is served: `HOST:PORT`, `[HOST]:PORT`, or `PORT` on this machine's loopback.
///
/// The host `lan` stands for all addresses of this machine, and may go without a port.
package struct PageAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name, or an IP address without brackets.
    package let host: String
    /// The port; 0 lets the system choose one.
    package let port: Int

    /// The default address.
    package static let usual = PageAddress(host: "127.0.0.1", port: 8275)

    /// The word for all addresses of this machine.
    private static let everywhere = "lan"

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses the text.
    ///
    /// - Throws: the reason why the text is no address.
    package init(parsing text: String) throws(AddressError) {
        let isAlone = text.lowercased() == Self.everywhere
        let whole = isAlone ? "\(text):\(Self.usual.port)" : text
        let parts = try HostPort(
            parsing: whole.contains(":") ? whole : "\(Self.usual.host):\(whole)"
        )
        let host = parts.host.lowercased()
        self.init(host: host == Self.everywhere ? "0.0.0.0" : host, port: Int(parts.port))
    }

    /// As in a URL, with brackets around an IPv6 address.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Whether only programs of this machine can connect.
    package var isLoopback: Bool {
        host == "localhost" || IPAddress(parsing: host)?.isLoopback ?? false
    }

    /// Whether connections to every address of the machine are accepted.
    package var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    /// Whether the host is an IP address that this machine does not have now.
    var isAbsent: Bool {
        guard let address = try? SocketAddress(parsing: description) else { return false }
        return !isWildcard && !LocalAddress.isHere(address.ip)
    }

    /// The origin of a page whose requests have this value of `Host`.
    package static func origin(of authority: String) -> String {
        "http://" + authority.lowercased()
    }

    /// Whether `authority`, the value of a `Host` field, means this server.
    ///
    /// Of names, only `localhost` and the configured host count, since an attacker's name server
    /// can resolve other names to this machine. Addresses cannot be redirected. Loopback addresses
    /// count with every port, since SSH may forward any port to this server.
    package func isMeant(by authority: String) -> Bool {
        // Browsers leave out the port that is usual for HTTP.
        let full = authority.contains(":") ? authority : authority + ":80"
        guard let named = try? PageAddress(parsing: full) else { return false }
        if named.isLoopback { return true }
        guard named.port == port else { return false }
        return named.host == host || isWildcard && IPAddress(parsing: named.host) != nil
    }
}
