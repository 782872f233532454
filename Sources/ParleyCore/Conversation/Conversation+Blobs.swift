/// The blobs that the heads of a conversation list.
extension Conversation {
    /// Notes the blobs of a new head.
    mutating func list(_ blobs: [BlobReference], by session: Int32) {
        for blob in blobs { listedBlobs[blob.id, default: []].append(session) }
    }

    /// Forgets the blobs of a head that was replaced or dropped.
    mutating func unlist(_ blobs: [BlobReference], by session: Int32) {
        for blob in blobs {
            guard var sessions = listedBlobs[blob.id],
                let index = sessions.firstIndex(of: session)
            else { continue }
            sessions.remove(at: index)
            listedBlobs[blob.id] = sessions.isEmpty ? nil : sessions
        }
    }

    /// Whether a head lists the blob.
    @inline(__always)
    package func lists(_ blob: BlobID) -> Bool { listedBlobs[blob] != nil }

    /// The sessions with a head that lists the blob.
    package func sessions(listing blob: BlobID) -> [SessionTag] {
        numbers(listing: blob).map { sessions[Int($0)].tag }
    }

    /// The different references to a blob; more than one if an author names a wrong size.
    package func references(to blob: BlobID) -> [BlobReference] {
        var references: [BlobReference] = []
        var seen: Set<UInt64> = []
        for number in numbers(listing: blob) {
            for reference in sessions[Int(number)].heads.flatMap(\.blobs)
            where reference.id == blob && seen.insert(reference.size).inserted {
                references.append(reference)
            }
        }
        return references
    }

    /// The numbers of the sessions that list the blob, ascending.
    private func numbers(listing blob: BlobID) -> [Int32] {
        Set(listedBlobs[blob] ?? []).sorted()
    }
}
