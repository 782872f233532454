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

extension Problem {
    /// The response with this problem: a page if a browser shows it, JSON for programs.
    func response(to request: Request) throws -> Response {
        guard request.headers[.accept]?.contains("text/html") ?? false else {
            return try JSON.response(self, status: httpStatus)
        }
        return PageWords.response(PageWords.problem(self), status: .init(code: httpStatus))
    }
}
