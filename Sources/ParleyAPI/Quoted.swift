extension String {
    /// The text in quotation marks, truncated to 64 characters.
    package var quoted: String { "\"\(prefix(64))\(count > 64 ? "…" : "")\"" }
}
