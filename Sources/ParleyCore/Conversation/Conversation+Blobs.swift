/// The blobs that the heads of a conversation list.
extension Conversation {
    /// Counts the blobs that a new head lists.
    mutating func list(_ blobs: [BlobReference]) {
        for blob in blobs { listedBlobs[blob.id, default: 0] += 1 }
    }

    /// Removes from the counts the blobs of a head that was replaced or dropped.
    mutating func unlist(_ blobs: [BlobReference]) {
        for blob in blobs {
            guard let count = listedBlobs[blob.id] else { continue }
            listedBlobs[blob.id] = count > 1 ? count - 1 : nil
        }
    }

    /// Whether a head lists the blob.
    @inline(__always)
    package func lists(_ blob: BlobID) -> Bool { listedBlobs[blob] != nil }

    /// The reference to a blob in the first head that lists it.
    ///
    /// It searches all sessions, so it is for repairs only.
    package func listing(of blob: BlobID) -> BlobReference? {
        guard lists(blob) else { return nil }
        for session in sessions {
            for head in session.heads {
                if let reference = head.blobs.first(where: { $0.id == blob }) { return reference }
            }
        }
        return nil
    }
}
