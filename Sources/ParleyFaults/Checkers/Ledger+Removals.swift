import ParleyCore

/// The members that were thrown out of a conversation, for a while or for good.
struct Removals {
    /// The records of generations whose keys a node has had.
    private var followed: Set<GenerationID> = []
    private var records: [GenerationID: GenerationRecord] = [:]

    /// Notes what a node writes down of generations.
    mutating func note(_ name: MemberRecord, _ bytes: Slice) {
        switch name {
        case .secret(let id): followed.insert(id)
        case .generation(let id) where records[id] == nil:
            guard case .generation(let record, _)? = try? MemberEntry(kind: 2, packed: bytes) else {
                return
            }
            records[id] = record
        default: break
        }
    }

    /// Whether some node had keys of a generation in which a device does not write.
    func concern(
        _ device: DeviceID,
        in conversation: ConversationID,
        using crypto: some Cryptography
    ) -> Bool {
        let listing = device.listing(in: conversation, using: crypto)
        return followed.contains { id in
            records[id].map {
                $0.statement.conversation == conversation && !$0.statement.stays.contains(listing)
            } ?? false
        }
    }
}

extension Ledger {
    /// Whether somebody wrote in a session who was thrown out, for a while or for good: messages
    /// may not count, which only `RoomChecker` knows.
    ///
    /// Intruders are out in any case, but for those before the keys were changed.
    func hasFormerMember(_ tag: SessionTag, in conversation: ConversationID, _ world: World) -> Bool
    {
        guard Room(world).hasChangedKeys(conversation) else { return false }
        return writers[tag, default: []].contains { origin in
            guard let author = author(of: Dot(origin: origin, sequence: 0)) else { return true }
            return removals.concern(author.node, in: conversation, using: world.nodes[0].crypto)
        }
    }

    /// Whether a node may remove heads of a session: readers and relays cannot vouch.
    func mayLetGo(
        _ tag: SessionTag,
        in conversation: ConversationID,
        at node: Int,
        _ world: World
    ) -> Bool {
        Room(world).mayLetGo(conversation, at: node)
            && hasFormerMember(tag, in: conversation, world)
    }
}
