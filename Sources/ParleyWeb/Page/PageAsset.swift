import CPageAssets
import NIOCore

/// A file of the page, as the executable has it.
struct PageAsset: Sendable {
    let name: String
    /// The media type.
    let type: String
    let bytes: ByteBuffer
    /// What tells this content from an earlier one, in quotation marks.
    let tag: String

    /// All assets by name.
    static let all: [String: PageAsset] = {
        var all: [String: PageAsset] = [:]
        for index in 0..<page_assets_count() {
            let asset = PageAsset(page_asset_at(index))
            all[asset.name] = asset
        }
        return all
    }()

    /// The pointers of `asset` are valid as long as the program runs.
    private init(_ asset: page_asset) {
        let content = UnsafeBufferPointer(start: asset.bytes, count: asset.count)
        name = String(cString: asset.name)
        type = String(cString: asset.type)
        bytes = ByteBuffer(bytes: content)
        tag = "\"\(ContentTag.text(of: content))\""
    }
}

/// A short text that differs for different contents, unless somebody makes them for that.
enum ContentTag {
    /// FNV-1a of 64 bits, in hexadecimal.
    static func text(of bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
