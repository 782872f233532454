/// A short text that differs for different contents, unless somebody crafts a collision.
enum ContentTag {
    /// FNV-1a of 64 bits, in hexadecimal.
    static func text(of bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
