/// The kinds of pictures that can be sent, recognised by the first bytes of their files.
package enum ImageKind: String, Hashable, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"

    /// The kind of a file that starts with these bytes, nil if it is unknown.
    package init?(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(12))
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: Array("GIF87a".utf8)) || head.starts(with: Array("GIF89a".utf8))
        {
            self = .gif
        } else if head.count == 12, head.starts(with: Array("RIFF".utf8)),
            head.suffix(4) == Array("WEBP".utf8)[...]
        {
            self = .webp
        } else {
            return nil
        }
    }
}
