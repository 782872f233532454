/// Checks the bytes of an address that a resolver returned.
package enum HostAddress {
    /// Whether `bytes` (4 or 16, network order) can be the address of one host.
    package static func isUsable(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: isUsable4(bytes)
        case 16: isUsable6(bytes)
        default: false
        }
    }

    /// Whether the address is outside of 0.0.0.0/8 and below 224.0.0.0, which excludes multicast,
    /// reserved and broadcast addresses.
    private static func isUsable4(_ bytes: [UInt8]) -> Bool { bytes[0] != 0 && bytes[0] < 224 }

    /// Whether the address is not multicast and, except for ::1, not in ::/64, which contains the
    /// unspecified, IPv4-mapped and IPv4-compatible addresses.
    private static func isUsable6(_ bytes: [UInt8]) -> Bool {
        if bytes[0] == 0xFF { return false }
        if bytes[..<8].contains(where: { $0 != 0 }) { return true }
        return bytes[8..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
    }
}
