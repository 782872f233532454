/// Why an announcement from the network, or a value of the caller, was refused.
package enum DiscoveryError: Error, Equatable, Sendable {
    /// The instance name is empty, longer than 63 bytes, not UTF-8, or has unprintable characters.
    case instanceNameMalformed
    /// The TXT record has more bytes or strings than `DiscoveryLimits` allows.
    case textTooLarge(bytes: Int, strings: Int)
    /// The TXT record lacks this key.
    case textMissing(key: String)
    /// The short ID is not 8 to 64 ASCII letters and digits.
    case shortIDMalformed
    /// The version is not a number from 1 to 65,535.
    case versionMalformed
    /// The port is 0.
    case portZero
    /// The address does not belong to a single host: it is unspecified, multicast, broadcast or
    /// IPv4-mapped.
    case addressUnusable
    /// The service is announced, but resolving its address and text failed; `code` is Avahi's.
    case unresolvable(code: Int32)
    /// A glob for interface names is empty or too long, or there are too many.
    case globMalformed
}
