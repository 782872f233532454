public import Foundation
package import ParleyCore
import ParleyTransport

/// How a node runs.
public struct NodeSettings: Sendable {
    /// The directory with the device key and the store; made if it is not there.
    public var dataDirectory: URL
    /// What people call the device, at most 64 bytes; nil: the host's name.
    public var name: String?
    /// Where to listen, as `HOST:PORT` or `[HOST]:PORT`; nil: every address, port 47275.
    public var listen: [String]?
    /// Addresses to dial, as `HOST:PORT`.
    public var peers: [String] = []
    /// Interfaces to use, as globs, with `!GLOB` to exclude; empty: all.
    public var interfaces: [String] = []
    /// Whether to announce the node and look for others.
    public var usesDiscovery = true
    /// Whether to take relay invites only.
    public var isRelay = false
    /// What bounds the node.
    package var limits = Limits()
    /// Whether everything but the device key is gone when the process ends.
    package var keepsInMemory = false

    /// A node with its data in that directory and everything else as usual.
    public init(dataDirectory: URL) {
        self.dataDirectory = dataDirectory
    }

    /// Checks what a node is started with, without starting it.
    ///
    /// - Throws: `badSetting` for a name or an address that cannot be used.
    public func validate() throws(NodeError) {
        if let name, name.isEmpty || name.utf8.count > Limits.deviceNameBytes {
            throw .badSetting("the name must have 1 to \(Limits.deviceNameBytes) bytes")
        }
        do throws(AddressError) {
            for text in listen ?? [] { _ = try SocketAddress(parsing: text) }
            for text in peers { _ = try Endpoint(parsing: text) }
        } catch {
            throw .badSetting(error.description)
        }
    }

    /// The port that a node listens on unless it is told otherwise.
    public static let defaultPort: UInt16 = 47275
}

/// What a node says once it is ready.
public struct ReadyNode: Hashable, Sendable {
    /// The device ID in its text form.
    public let device: String
    /// What people call the device.
    public let name: String
    /// Where it listens.
    public let addresses: [String]
}
