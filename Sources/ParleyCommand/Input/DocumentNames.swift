import Foundation
import ParleyWeb

/// The names in a line of a batch, to find those that mean nothing.
struct DocumentNames: Decodable {
    private let names: [String]

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
    }

    /// The first name, by the alphabet, that no message has.
    var unknown: String? { names.filter { !Self.known.contains($0) }.min() }

    private static let known: Set<String> = [
        "url", "session", "caption", "subcaption", "trailingCaption", "trailingSubcaption",
        "image", "imageTitle", "imageSubtitle", "imageData", "imageType", "summary",
        "accessibilityLabel", "app", "next", "replacing", "wait", "timeout",
    ]
}
