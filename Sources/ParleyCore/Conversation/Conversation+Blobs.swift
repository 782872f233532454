/// The blobs that the heads of a conversation list.
extension Conversation {
    /// A head lists these blobs.
    mutating func list(_ blobs: [BlobReference]) {
        for blob in blobs { listedBlobs[blob.id, default: 0] += 1 }
    }

    /// A head that listed these blobs was replaced or dropped.
    mutating func unlist(_ blobs: [BlobReference]) {
        for blob in blobs {
            guard let count = listedBlobs[blob.id] else { continue }
            listedBlobs[blob.id] = count > 1 ? count - 1 : nil
        }
    }

    /// The blob as the first head that lists it describes it; a search of all sessions, so it is
    /// for repairs only.
    package func listing(of blob: BlobID) -> BlobReference? {
        guard listedBlobs[blob] != nil else { return nil }
        for session in sessions {
            for head in session.heads {
                if let reference = head.blobs.first(where: { $0.id == blob }) { return reference }
            }
        }
        return nil
    }
}
