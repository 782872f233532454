/// URLs of the messages of a plan.
enum PlanURL {
    /// Pads a URL to at least this many bytes.
    static func filled(_ url: String, to bytes: Int) -> String {
        guard url.utf8.count < bytes else { return url }
        return url + "&" + String(repeating: "x", count: bytes - url.utf8.count - 1)
    }
}
