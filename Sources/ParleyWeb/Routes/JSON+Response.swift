import Hummingbird
import NIOCore
import ParleyAPI

extension JSON {
    /// A JSON response of the API.
    static func response(_ value: some Encodable, status: Int = 200) throws -> Response {
        Response(
            status: .init(code: status),
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try encode(value)))
        )
    }
}
