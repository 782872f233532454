/// The damaged parts of the database of a node, as another process found them.
package struct RepairRequest: Codable, Hashable, Sendable {
    /// The rows of sessions.
    package var sessions: [Int64] = []
    /// The hashes of pictures, in hexadecimal digits.
    package var pictures: [String] = []

    package init() {}
}
