import ParleyCore

/// The hash of a complete blob is its name, and in the end members have the blobs of their heads.
///
/// A blob that no member has is excused. Damaged blobs must be repaired.
package struct BlobChecker: Checker {
    package static let promise = Promise("blobs are whole")
    package static let watches: WorldEvent.Kinds = .answered

    private let ledger: Ledger

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        // The check comes before the commit, as a fault may damage the blob afterwards.
        guard case .answered(let node, let effects) = event else { return }
        let writes = effects.persist?.writes ?? []
        // A blob of an own message is written with all its chunks.
        let own = writes.compactMap { write in
            if case .blobChunk(let blob, _, _, _) = write { blob } else { nil }
        }
        for case .blobCompleted(let blob) in writes where !own.contains(blob) {
            // Damage after the read-back is found later.
            guard world.nodes[node].disk.blobs[blob]?.spoiled.isEmpty == true,
                let bytes = world.nodes[node].disk.bytes(of: blob)
            else { continue }
            guard BlobID(world.nodes[node].crypto.sha256(bytes)) != blob else { continue }
            let what = "\(world.nodes[node].name) takes a blob that is not what its name says"
            world.fail(Self.promise, by: [node], what)
        }
    }

    package mutating func finish(in world: World) {
        guard ledger.damaged.isEmpty else { return }
        for node in world.nodes.indices where world.nodes[node].isRunning {
            for (conversation, rows) in ledger.copies[node].disk {
                for (tag, row) in rows where !ledger.byzantineSessions.contains(tag) {
                    for dot in row.heads { look(dot, conversation, node, world) }
                }
            }
        }
    }

    private func look(_ dot: Dot, _ conversation: ConversationID, _ node: Int, _ world: World) {
        for blob in ledger.header(dot, in: conversation)?.blobs ?? [] {
            let holder = world.agreement.members(of: conversation).first {
                world.nodes[$0].disk.isWhole(blob.id)
            }
            guard !world.nodes[node].disk.isWhole(blob.id), let holder else { continue }
            let lack = world.nodes[node].disk.isComplete(blob.id) ? "does not repair" : "lacks"
            world.fail(
                Self.promise,
                by: [node, holder],
                "\(world.nodes[node].name) \(lack) a picture of \(world.word(dot)) that "
                    + "\(world.nodes[holder].name) has"
            )
            return
        }
    }
}
