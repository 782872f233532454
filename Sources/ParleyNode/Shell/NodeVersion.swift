/// The name and version of this software.
package enum NodeVersion {
    package static let version = "0.1.0"
    static let software = "parley/\(version)"
}
