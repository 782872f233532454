/// The blobs that the heads of a conversation list.
extension ConversationState {
    /// A head lists the blob.
    mutating func list(_ blob: BlobID) {
        listedBlobs[blob, default: 0] += 1
    }

    /// A head that listed the blob was replaced or dropped.
    mutating func unlist(_ blob: BlobID) {
        guard let count = listedBlobs[blob] else { return }
        listedBlobs[blob] = count > 1 ? count - 1 : nil
    }

    /// The blob as the first head that lists it describes it; a search of all sessions, so it is for
    /// repairs only.
    func listing(of blob: BlobID) -> BlobReference? {
        guard listedBlobs[blob] != nil else { return nil }
        for session in sessions {
            for head in session.heads {
                if let reference = head.blobs.first(where: { $0.id == blob }) { return reference }
            }
        }
        return nil
    }
}
