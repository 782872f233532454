package import ParleyCore

extension DeviceID {
    /// The first 16 characters of the base32 form, which a node announces by mDNS.
    package var announcedText: String { Base32.text(Base32.values(bytes)[..<16]) }

    /// The first eight bytes of the device ID in an announced text, or nil if the text is too short
    /// or not base32.
    package static func hint(announced text: String) -> UInt64? {
        let values = text.prefix(16).compactMap(Base32.value)
        guard values.count == 16, text.count >= 16 else { return nil }
        return Base32.bytes(values).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
