/// What this software calls itself.
enum NodeVersion {
    static let version = "0.1.0"
    static let software = "parley/\(version)"
}
