import CZlib
import NIOCore

/// The compression that all browsers understand, made by zlib.
enum Gzip {
    /// The name in the fields of HTTP.
    static let name = "gzip"

    /// Whether an `Accept-Encoding` field allows it.
    static func isAccepted(by field: String?) -> Bool {
        let codings = (field ?? "").split(separator: ",").map { coding in
            coding.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
        }
        guard let gzip = codings.first(where: { $0.first == name }) else { return false }
        let weight = gzip.first { $0.hasPrefix("q=") }
        return weight.map { Double($0.dropFirst(2)) ?? 0 > 0 } ?? true
    }

    /// The bytes in compressed form; nil if zlib has no memory.
    static func compressed(_ bytes: ByteBuffer) -> ByteBuffer? {
        var stream = z_stream()
        // 15 bits of window, 16 for the header of gzip in place of that of zlib, and all the memory
        // that zlib takes.
        let begun = deflateInit2_(
            &stream,
            Z_BEST_COMPRESSION,
            Z_DEFLATED,
            15 + 16,
            9,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size)
        )
        guard begun == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = Array(bytes.readableBytesView)
        let bound = Int(deflateBound(&stream, UInt(input.count)))
        var output = ByteBuffer()
        let end = input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(source.count)
            var result = Z_OK
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { target in
                stream.next_out = target.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(target.count)
                result = deflate(&stream, Z_FINISH)
                return Int(stream.total_out)
            }
            return result
        }
        return end == Z_STREAM_END ? output : nil
    }
}
