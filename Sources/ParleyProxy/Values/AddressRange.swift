import Glibc

/// The IP addresses that begin with the same bits, as in `10.0.0.0/8`; a single one without `/`.
package struct AddressRange: Hashable, Sendable {
    package let text: String
    private let bytes: [UInt8]
    private let bits: Int

    /// Reads the text; nil if it is no range.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2 else { return nil }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, String(first), &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, String(first), &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
        let bits = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
        guard let bits, (0...bytes.count * 8).contains(bits) else { return nil }
        self.bits = bits
        self.text = text
    }

    /// Whether the address of these 4 or 16 bytes is in the range.
    package func contains(_ address: [UInt8]) -> Bool {
        guard address.count == bytes.count else { return false }
        return (0..<(bits + 7) / 8).allSatisfy { index in
            let shift = max(0, (index + 1) * 8 - bits)
            return address[index] >> UInt8(shift) == bytes[index] >> UInt8(shift)
        }
    }
}
