import ParleyCore
import Testing

/// Bytes that have to be refused, and why.
struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let error: CodecError

    init(_ name: String, _ bytes: [UInt8], _ error: CodecError) {
        self.name = name
        self.bytes = bytes
        self.error = error
    }

    var testDescription: String { "\(name): \(error)" }
}
