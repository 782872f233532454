import Foundation
import ParleyAPI

/// The keys in a line of a batch, to find unknown ones.
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

    /// The alphabetically first unknown key.
    var unknown: String? { names.filter { !Self.known.contains($0) }.min() }

    private static let known = Set(SendDocument.CodingKeys.allCases.map(\.stringValue))
}
