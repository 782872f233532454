extension String {
    /// In quotation marks, and not too long for a sentence.
    package var quoted: String { "\"\(prefix(64))\(count > 64 ? "…" : "")\"" }
}
