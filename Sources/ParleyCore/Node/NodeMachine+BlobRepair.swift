extension NodeMachine {
    /// A peer ended its link because something was forged: the blobs that it was sent are looked
    /// at, as the disk may have spoiled one of them.
    mutating func doubtBlobs(servedOn index: Int) {
        for blob in links[index].blobs.served { recheck(blob) }
    }

    /// Reads a blob back to see whether it is still what its name says.
    private mutating func recheck(_ blob: BlobID) {
        guard blobs.recheck(blob) else { return }
        turn.effects.reads.append(.blob(blob))
    }

    /// A blob that was in doubt was read back: one that is spoiled is fetched anew.
    ///
    /// One that cannot be read now may be whole, and is left alone.
    mutating func rechecked(_ blob: BlobID, _ bytes: Slice?) {
        guard let bytes, BlobID(crypto.sha256(bytes)) != blob else { return }
        turn.writes.append(.blobDropped(blob))
        guard let (reference, conversation) = listing(of: blob) else { return drop(blob) }
        blobs.fetchAnew(reference, conversation: conversation)
    }

    /// Where a blob is listed; looked for only when one is spoiled.
    private func listing(of blob: BlobID) -> (BlobReference, conversation: UInt32)? {
        for conversation in conversations where conversation.listedBlobs[blob] != nil {
            for session in conversation.sessions {
                for head in session.heads {
                    if let reference = head.blobs.first(where: { $0.id == blob }) {
                        return (reference, conversation.number)
                    }
                }
            }
        }
        return nil
    }
}
