package import Foundation
@_exported public import ParleyValues

/// Encodes and decodes documents: dates are in RFC 3339, data in base64, and keys are sorted.
package enum JSON {
    /// The document as JSON in UTF-8.
    package static func encode(_ value: some Encodable, isPretty: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(format))
        }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return try encoder.encode(value)
    }

    /// Decodes a document; unknown fields are ignored.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws
        -> Value
    {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date(text, strategy: format)
        }
        return try decoder.decode(type, from: data)
    }

    private static let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
