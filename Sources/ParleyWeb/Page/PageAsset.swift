import CPageAssets
package import NIOCore
import ParleyNode

/// A file of the page in the executable.
package struct PageAsset: Sendable {
    package let name: String
    /// The media type.
    package let type: String
    package let bytes: ByteBuffer
    /// A tag of the contents, in quotation marks.
    package let tag: String
    /// The compressed form, if that is smaller.
    private let zipped: ByteBuffer?

    /// An asset as it is sent.
    package struct Form: Sendable {
        package let bytes: ByteBuffer
        /// The name of the compression in HTTP; nil if there is none.
        package let coding: String?
        /// A tag of the form, in quotation marks.
        package let tag: String
    }

    /// The form for a client that sends this `Accept-Encoding` field.
    package func form(accepting field: String?) -> Form {
        guard let zipped, Gzip.isAccepted(by: field) else {
            return Form(bytes: bytes, coding: nil, tag: tag)
        }
        return Form(bytes: zipped, coding: Gzip.name, tag: "\(tag.dropLast())-\(Gzip.name)\"")
    }

    /// All assets by name; the modules of the page are one asset, `page.js`.
    package static let all: [String: PageAsset] = {
        var all: [String: PageAsset] = [:]
        var script = PageScript()
        for index in 0..<page_assets_count() {
            let asset = PageAsset(page_asset_at(index))
            if asset.name.hasSuffix(".js") {
                script.append(String(buffer: asset.bytes))
            } else if asset.name.hasSuffix(".css") {
                let text = PageStyle(String(buffer: asset.bytes)).text
                all[asset.name] = PageAsset(asset.name, asset.type, text)
            } else {
                all[asset.name] = asset
            }
        }
        all["page.js"] = PageAsset("page.js", "text/javascript; charset=utf-8", script.text)
        return all
    }()

    /// The version of the node and a tag of the page's content, which tells builds apart.
    package static let version: String = {
        let tags = all.values.map(\.tag).sorted().joined()
        return "\(NodeVersion.version)-\(ContentTag.text(of: tags.utf8))"
    }()

    private init(_ name: String, _ type: String, _ text: String) {
        self.init(name: name, type: type, bytes: ByteBuffer(string: text))
    }

    private init(name: String, type: String, bytes: ByteBuffer) {
        self.name = name
        self.type = type
        self.bytes = bytes
        tag = "\"\(ContentTag.text(of: bytes.readableBytesView))\""
        zipped = Gzip.compressed(bytes).flatMap {
            $0.readableBytes < bytes.readableBytes ? $0 : nil
        }
    }

    /// The pointers of `asset` are valid as long as the program runs.
    private init(_ asset: page_asset) {
        self.init(
            name: String(cString: asset.name),
            type: String(cString: asset.type),
            bytes: ByteBuffer(
                bytes: UnsafeBufferPointer(start: asset.bytes, count: asset.count)
            )
        )
    }
}
