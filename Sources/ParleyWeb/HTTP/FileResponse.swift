import Foundation
import Hummingbird
import NIOCore
import ParleyAPI
import ParleyNode

/// A response with a file of any size, which is read from the disk as fast as the client takes it.
enum FileResponse {
    /// The bytes that are read at a time.
    private static let partBytes = 512 << 10
    /// Scripts in an SVG never run, however a browser shows it.
    static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

    /// The fields of a download under a name for people.
    static func headers(named name: String) -> HTTPFields {
        [
            .contentType: "application/octet-stream",
            .contentDisposition: "attachment; filename*=UTF-8''\(HTMLText.pathPart(name))",
            .contentSecurityPolicy: policy,
        ]
    }

    /// The file, or the part of it for which the client asks.
    static func response(_ file: URL, named name: String, to request: Request) async throws
        -> Response
    {
        let reader = FileReader(path: file.path)
        let size: Int
        do throws(FileFailure) { size = try await reader.open() } catch {
            throw Problem(.storeFailed, "The file cannot be read: \(error).")
        }
        var headers = headers(named: name)
        headers[.acceptRanges] = "bytes"
        let asked = request.headers[.range].flatMap { Self.range($0, of: size) }
        if let asked {
            headers[.contentRange] = "bytes \(asked.lowerBound)-\(asked.upperBound - 1)/\(size)"
        }
        let range = asked ?? 0..<size
        return Response(
            status: asked == nil ? .ok : .partialContent,
            headers: headers,
            body: ResponseBody(contentLength: range.count) { writer in
                var next = range.lowerBound
                while next < range.upperBound {
                    let count = min(partBytes, range.upperBound - next)
                    let bytes = try await reader.read(at: next, count: count)
                    // A file that has become shorter ends the connection: the length was told.
                    guard bytes.count == count else { throw FileFailure.ended }
                    try await writer.write(ByteBuffer(bytes: bytes))
                    next += count
                }
                try await writer.finish(nil)
            }
        )
    }

    /// The bytes of a range field with one range; nil for other fields, which may be ignored.
    static func range(_ field: String, of size: Int) -> Range<Int>? {
        guard let found = field.wholeMatch(of: /bytes=([0-9]{0,15})-([0-9]{0,15})/) else {
            return nil
        }
        switch (Int(found.1), Int(found.2)) {
        case (let first?, let last?) where first <= last && first < size:
            return first..<min(last + 1, size)
        case (let first?, nil) where found.2.isEmpty && first < size: return first..<size
        case (nil, let last?) where found.1.isEmpty && last > 0: return max(0, size - last)..<size
        default: return nil
        }
    }
}
