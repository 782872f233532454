import ParleyCore

/// The disk of a node stays within the quotas for heads, bytes and origins.
///
/// The quotas are those of a conversation, of a device in it, of all open conversations together,
/// and of all conversations. The memory of heads is bounded with their number.
///
/// Each session may have `Limits.sessionBytes` beyond the quota. Every device may go on in existing
/// sessions. So only heads that replace no message of other origins count for a device.
package struct QuotaChecker: Checker {
    package static let promise = Promise("a conversation keeps to its quota")
    package static let watches: WorldEvent.Kinds = [.persisted, .processes]

    /// A head on a disk.
    private struct StoredHead {
        let origin: OriginID
        let bytes: Int
        /// Whether the device began with this head, and knows no message of other origins.
        let isBegun: Bool
    }

    /// The rows of each disk, with the numbers of their conversations.
    private var rows: [Int: [Int64: (conversation: UInt32, heads: [StoredHead])]] = [:]
    private var sums: [Int: [UInt32: KeptAmount]] = [:]

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .started(let node): recount(node, world)
        case .persisted(let node, let persist) where limits(of: node, world).keepsLittle:
            var touched: Set<UInt32> = []
            for write in persist.writes {
                switch write {
                case .session(let row):
                    count(row.row, on: node, world)
                    touched.insert(row.conversation)
                case .origin(let number, _, _): touched.insert(number)
                case .conversationLeft: recount(node, world)
                default: break
                }
            }
            for number in touched.sorted() { look(at: number, on: node, world) }
            if !touched.isEmpty { lookAtTotals(on: node, world) }
        default: break
        }
    }

    private func limits(of node: Int, _ world: World) -> Limits {
        world.nodes[node].limits ?? world.settings.limits
    }

    private mutating func recount(_ node: Int, _ world: World) {
        rows[node] = [:]
        sums[node] = [:]
        guard limits(of: node, world).keepsLittle else { return }
        for row in world.nodes[node].disk.rows.keys { count(row, on: node, world) }
    }

    private mutating func count(_ number: Int64, on node: Int, _ world: World) {
        if let (conversation, old) = rows[node]?[number] {
            sums[node]?[conversation]? -= Self.sum(old)
        }
        guard let row = world.nodes[node].disk.rows[number] else { return }
        // A damaged head cannot be decoded, and the node does not have it.
        let heads = row.heads.compactMap { head -> StoredHead? in
            guard let bytes = head.envelope, let header = try? Envelope(decoding: bytes).header
            else { return nil }
            return StoredHead(
                origin: header.dot.origin,
                bytes: bytes.count + header.blobs.reduce(0) { $0 + Int($1.size) },
                isBegun: header.context.isEmpty
            )
        }
        rows[node, default: [:]][number] = (row.conversation, heads)
        sums[node]?[row.conversation, default: KeptAmount()] += Self.sum(heads)
    }

    private static func sum(_ heads: some Sequence<StoredHead>) -> KeptAmount {
        heads.reduce(into: KeptAmount()) { $0 += KeptAmount(heads: 1, bytes: $1.bytes) }
    }

    // MARK: One conversation

    private func look(at number: UInt32, on node: Int, _ world: World) {
        guard let conversation = world.nodes[node].disk.conversations[number] else { return }
        let limits = limits(of: node, world)
        let quota = conversation.record.isOpen ? limits.openQuota : limits.quota
        var sum = sums[node]?[number] ?? KeptAmount()
        sum.origins = conversation.origins.count
        compare(sum, with: quota.conversation, "", node, world)
        for sum in devices(of: conversation, number, node, world) {
            compare(sum, with: quota.device, " of a device", node, world)
        }
    }

    /// The heads that count for each device, with its guests.
    ///
    /// Byzantine writers are left out, as their contexts may be false.
    private func devices(
        of conversation: RecoveredConversation,
        _ number: UInt32,
        _ node: Int,
        _ world: World
    ) -> [KeptAmount] {
        var kept: [Bytes32: KeptAmount] = [:]
        for origin in conversation.origins.values {
            kept[origin.writerKey, default: KeptAmount()].origins += 1
        }
        for row in (rows[node] ?? [:]).values where row.conversation == number {
            for head in row.heads where head.isBegun {
                guard let key = conversation.origins[head.origin]?.writerKey else { continue }
                kept[key, default: KeptAmount()] += KeptAmount(heads: 1, bytes: head.bytes)
            }
        }
        for writer in world.nodes where writer.isByzantine {
            kept[writer.crypto.devicePublicKey] = nil
        }
        return Array(kept.values)
    }

    // MARK: Several conversations

    private func lookAtTotals(on node: Int, _ world: World) {
        var (all, open) = (KeptAmount(), KeptAmount())
        for (number, conversation) in world.nodes[node].disk.conversations {
            var sum = sums[node]?[number] ?? KeptAmount()
            sum.origins += conversation.origins.count
            all += sum
            if conversation.record.isOpen { open += sum }
        }
        let limits = limits(of: node, world)
        compare(all, with: limits.allConversations, " of all conversations", node, world)
        compare(open, with: limits.openConversations, " of open conversations", node, world)
    }

    private func compare(
        _ sum: KeptAmount,
        with limit: KeptAmount,
        _ whose: String,
        _ node: Int,
        _ world: World
    ) {
        let bytesMax = limit.bytes + limit.heads * Limits.sessionBytes
        for (what, count, max) in [
            ("heads", sum.heads, limit.heads), ("bytes", sum.bytes, bytesMax),
            ("origins", sum.origins, limit.origins),
        ] where count > max {
            let excess = "\(world.nodes[node].name) keeps \(count) \(what)\(whose), of \(max)"
            world.fail(Self.promise, by: [node], excess)
        }
    }
}

extension OriginRecord {
    /// The key of the device for which messages of the origin count.
    fileprivate var writerKey: Bytes32 { host?.deviceKey ?? deviceKey }
}
