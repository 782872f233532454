import ParleyAPI

/// The keys in a line of a batch, to find unknown ones.
struct DocumentNames: Decodable {
    private let names: [String]

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    }

    /// The alphabetically first unknown key.
    var unknown: String? { names.filter { !SendDocument.names.contains($0) }.min() }
}
