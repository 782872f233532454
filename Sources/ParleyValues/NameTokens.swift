package import Foundation

/// Replaces each `$` that is followed by the UUID of a participant with the name, for display.
package struct NameTokens: Sendable, Equatable {
    private let names: [UUID: String]

    /// The name that is shown for a participant without a known name.
    package static let nobody = "Someone"

    package init(_ names: [UUID: String]) {
        self.names = names
    }

    /// The text with names; a `$` without a UUID stays as it is.
    package func resolved(_ text: String) -> String {
        guard text.contains("$") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$") {
            result += rest[..<start]
            rest = rest[start...]
            let token = rest.dropFirst().prefix(36)
            if token.utf8.count == 36, let id = UUID(uuidString: String(token)) {
                result += names[id] ?? Self.nobody
                rest = rest[token.endIndex...]
            } else {
                result += "$"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }
}
