import Foundation

/// Names as parts of the paths of the control API.
enum PathText {
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~."
    )

    /// The text with everything but unreserved characters percent-encoded.
    static func encoded(_ text: String) -> String {
        // Swift text always encodes; nil is for lone surrogates, which it cannot hold.
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    static func conversation(_ name: String) -> String { "conversations/\(encoded(name))" }
}
