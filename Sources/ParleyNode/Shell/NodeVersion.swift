/// The name and version of this software.
enum NodeVersion {
    static let version = "0.1.0"
    static let software = "parley/\(version)"
}
