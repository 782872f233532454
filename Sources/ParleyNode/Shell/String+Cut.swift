extension String {
    /// The longest prefix of complete characters that fits into `count` bytes of UTF-8.
    package func cut(toBytes count: Int) -> String {
        var text = self
        while text.utf8.count > count { text.removeLast() }
        return text
    }
}
