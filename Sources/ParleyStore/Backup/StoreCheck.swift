import GRDB
package import ParleyCore

/// The result of a pass over a whole database.
package struct StoreCheck: Sendable {
    /// The device whose key the directory of the database had.
    package let device: DeviceID?
    /// How many conversations there are.
    package let conversations: Int
    /// How many sessions there are that are not damaged.
    package private(set) var sessions = 0
    /// How many pictures there are, whole or in part.
    package let pictures: Int
    /// The damage: rows with a wrong checksum, orphaned rows and missing chunks.
    package private(set) var damage: DamageReports

    /// Has SQLite check the structure of the file, and reads every row and compares its checksum.
    ///
    /// - Throws: `corrupt` if the structure is damaged, or another error of SQLite.
    init(of database: Database, path: String) throws {
        try StoreView.checkStructure(of: database, path: path)
        var reader = RecoveryReader(database: database, path: path)
        let recovered = try reader.recover(location: nil)
        device = recovered.recovery.device
        conversations = recovered.recovery.conversations.count
        pictures = recovered.recovery.blobs.count
        damage = recovered.damage
        damage.add(
            contentsOf: try SessionReader(database: database, path: path).recover { _ in
                sessions += 1
            }.damage
        )
        let columns = "sum, bytes, number, blob"
        let chunks = try BoundStatement(
            "SELECT \(columns) FROM blob_chunk",
            in: database,
            path: path
        )
        try chunks.forEach { row in
            let id = row.value(3, as: BlobID.self)
            guard let id, let number = row.integer(2),
                BlobReader.chunk(row, number: number, blob: id) != nil
            else {
                let key = id.map { Hexadecimal.text($0.bytes) } ?? "of unknown name"
                return damage.add(.damaged(table: "blob_chunk", key: key))
            }
        }
    }
}
