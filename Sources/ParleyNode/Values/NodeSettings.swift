public import Foundation
package import ParleyCore
import ParleyDiscovery
import ParleyTransport

/// The settings of a node.
public struct NodeSettings: Sendable {
    /// The directory with the device key and the store; it is created if it does not exist.
    public var dataDirectory: URL
    /// The name of the device for people, at most 64 bytes, which is kept in the data directory;
    /// nil for the name kept by an earlier start, else the host name.
    public var name: String?
    /// The addresses to listen on, as `HOST:PORT`, `[HOST]:PORT`, or `PORT` for every address; nil
    /// for every address and port 27275.
    public var listen: [String]?
    /// The addresses to dial, as `HOST:PORT`.
    public var peers: [String] = []
    /// The interfaces that discovery uses, as globs, with `!GLOB` to exclude some; empty for all.
    public var interfaces: [String] = []
    /// Whether to announce the node and discover others.
    public var usesDiscovery = true
    /// Whether the node accepts relay invites only.
    public var isRelay = false
    /// The limits of the node.
    package var limits = Limits()
    /// The limits for offered files.
    package var fileLimits = FileLimits()
    package var log = LogOutput()

    /// The descriptors that the node needs at most: for connections, and for listeners, the store
    /// and the runtime.
    package var descriptorsMax: Int {
        // A file has a connection and a descriptor of its own.
        let files = 2 * (fileLimits.sent + fileLimits.received) + fileLimits.uploads
        return limits.links + limits.strangers + limits.dials + files + 64
    }
    /// Whether everything except the device key is kept in memory only.
    package var keepsInMemory = false

    /// Makes settings with a data directory and default values.
    public init(dataDirectory: URL) {
        self.dataDirectory = dataDirectory
    }

    /// Checks the settings without starting a node.
    ///
    /// - Throws: `badSetting` for a name or an address that cannot be used.
    public func validate() throws(NodeError) {
        _ = try givenName
        do throws(DiscoveryError) {
            _ = try InterfaceFilter(globs: interfaces)
        } catch {
            throw .badSetting("an interface must have a name or a pattern, as in eth0 or 'wl*'")
        }
        do throws(AddressError) {
            _ = try listenAddresses
            for text in peers {
                guard try Endpoint(parsing: text).port != 0 else { throw AddressError.noPort(text) }
            }
        } catch {
            throw .badSetting(error.description)
        }
    }

    /// The addresses to listen on; nil for the usual ones.
    var listenAddresses: [SocketAddress]? {
        get throws(AddressError) {
            guard let listen else { return nil }
            var addresses: [SocketAddress] = []
            for text in listen {
                if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
                    addresses += SocketAddress.any(port: try HostPort(parsing: "[::]:" + text).port)
                } else {
                    addresses.append(try SocketAddress(parsing: text))
                }
            }
            return addresses
        }
    }

    /// The name as it is used.
    ///
    /// - Throws: `badSetting`.
    var givenName: GivenName? {
        get throws(NodeError) {
            guard let name else { return nil }
            do throws(GivenNameError) {
                return try GivenName(name, bytesMax: Limits.deviceNameBytes)
            } catch {
                throw .badSetting(error.message(of: "the device"))
            }
        }
    }

    /// The default port.
    ///
    /// The port lies below 32768, where Linux begins to take ports for outgoing connections, so
    /// that none of them holds the port when the node starts. IANA has assigned it to nobody.
    public static let defaultPort: UInt16 = 27275
}
