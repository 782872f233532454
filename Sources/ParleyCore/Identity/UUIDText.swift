/// The text form of a UUID, RFC 9562 section 4, in upper case as Foundation writes it.
package enum UUIDText {
    package static func text(_ value: Bytes16) -> String {
        let digits = Array(value.hex.uppercased())
        let bounds = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return bounds.map { String(digits[$0]) }.joined(separator: "-")
    }

    /// The value of 36 characters in either case, with hyphens in their places, or nil.
    package static func value(_ text: some StringProtocol) -> Bytes16? {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        return Bytes16(hex: groups.joined())
    }
}
