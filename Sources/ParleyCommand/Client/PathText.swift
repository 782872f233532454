import Foundation

/// Encodes names as parts of the paths of the control API.
enum PathText {
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~."
    )

    /// The text with all except unreserved characters percent-encoded.
    static func encoded(_ text: String) -> String {
        // The result is nil only for lone surrogates, which a Swift string cannot contain.
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    static func conversation(_ name: String) -> String { "conversations/\(encoded(name))" }
}
