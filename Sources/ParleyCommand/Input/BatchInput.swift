import Foundation
import NIOCore
import ParleyAPI

/// The messages of a batch in the form that the node accepts: one document per line.
///
/// A wrong line is reported and replaced by an empty line, which keeps the line numbers equal.
struct BatchInput: AsyncSequence, Sendable {
    /// The form of the lines of the input.
    enum Form: Sendable {
        /// Each line is a JSON object whose keys are the names of the options.
        case documents
        /// Each line is a URL.
        case urls
    }

    let lines: LineInput
    let form: Form
    /// The values of the options, for keys missing in a line.
    let defaults: SendDocument
    let report: @Sendable (Problem) -> Void
    /// Called for every message sent to the node.
    let count: @Sendable (SendDocument) -> Void

    struct Iterator: AsyncIteratorProtocol {
        let input: BatchInput
        var number = 0

        mutating func next() async throws -> ByteBuffer? {
            guard let line = try await input.lines.next() else { return nil }
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { return ByteBuffer(string: "\n") }
            do {
                let document = try input.document(line)
                var buffer = ByteBuffer(bytes: try JSON.encode(document))
                buffer.writeString("\n")
                input.count(document)
                return buffer
            } catch var problem as Problem {
                problem.line = number
                input.report(problem)
                return ByteBuffer(string: "\n")
            }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(input: self) }

    private func document(_ line: [UInt8]) throws(Problem) -> SendDocument {
        var document = SendDocument()
        switch form {
        case .urls:
            let bytes = line.last == 0x0D ? line.dropLast() : line[...]
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw .badInput("The URL is not UTF-8.")
            }
            document.url = text
        case .documents:
            let names: DocumentNames
            do {
                document = try JSON.decode(SendDocument.self, from: Data(line))
                names = try JSON.decode(DocumentNames.self, from: Data(line))
            } catch DecodingError.typeMismatch(let type, let context)
                where !context.codingPath.isEmpty
            {
                throw Problem(.badJSON, Self.sentence(type, context.codingPath))
            } catch {
                throw Problem(
                    .badJSON,
                    "The line is not a JSON object with the names of the options.",
                    hint: #"Such as {"url": "?move=e4", "caption": "Your move"}"#
                )
            }
            if let unknown = names.unknown {
                throw Problem(
                    .badJSON,
                    "The name \(ShellWord.quoted(unknown)) is unknown.",
                    hint: "The names are those of the options of parley send, in camelCase."
                )
            }
        }
        return try document.over(defaults).withPicture()
    }

    /// The required form of a name's value.
    private static func sentence(_ type: any Any.Type, _ path: [any CodingKey]) -> String {
        let form =
            path.count > 1 || type is [Any].Type
            ? "a list of texts"
            : type is Bool.Type ? "true or false" : type is Double.Type ? "a number" : "a text"
        return "\(path[0].stringValue) has to be \(form)."
    }
}
