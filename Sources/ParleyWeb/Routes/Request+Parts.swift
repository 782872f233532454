import Foundation
import Hummingbird
import NIOCore
import ParleyAPI
import ParleyNode

extension Request {
    /// The body.
    ///
    /// - Throws: a `Problem` with this hint if it has more bytes.
    func bytes(atMost limit: Int, hint: String = "") async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch {
            throw Problem(.tooLarge, "The request has more than \(limit) bytes.", hint: hint)
        }
    }

    /// The body, read as JSON.
    ///
    /// - Throws: a `Problem` if it has more bytes, or is something else.
    func document<Document: Decodable>(
        _ type: Document.Type,
        atMost limit: Int,
        hint: String = ""
    ) async throws -> Document {
        let buffer = try await bytes(atMost: limit, hint: hint)
        do {
            return try JSON.decode(type, from: Data(buffer.readableBytesView))
        } catch {
            throw Problem.notExpected("The request", error)
        }
    }
}

extension BasicRequestContext {
    /// A part of the path that has a name in the route, decoded and in the normal form of names.
    func part(_ name: String) throws -> String {
        guard let raw = parameters.get(name), let text = raw.removingPercentEncoding else {
            throw Problem.badInput("The path has no \(name).")
        }
        return GivenName.normal(text)
    }
}

extension Problem {
    /// The problem of a text that is not JSON, or is other JSON than was expected.
    static func notExpected(_ what: String, _ error: any Error) -> Problem {
        let why =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context):
                "\(path(context.codingPath + [key])) is missing"
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                "\(path(context.codingPath)) is of another type"
            case .dataCorrupted(let context) where !context.codingPath.isEmpty:
                "\(path(context.codingPath)) has a value that cannot be read"
            default: "it is not JSON"
            }
        return Problem(
            .badJSON,
            "\(what) is not the expected JSON: \(why).",
            hint: "docs/openapi.yaml describes what is expected."
        )
    }

    /// The place of a value, such as `next.0`.
    private static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "the document" }
        return keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
