import ParleyCore

/// A disk has no more of a conversation than a node keeps: heads, bytes and origins, and origins of
/// one device.
///
/// The memory of a head is bounded with the heads.
///
/// Beyond the bytes of the quota, each session may have `Limits.sessionBytes`.
package struct QuotaChecker: Checker {
    package static let promise = Promise("a conversation keeps to its quota")
    package static let watches: WorldEvent.Kinds = [.persisted, .processes]

    /// The part of a quota that rows take.
    private struct Sum {
        var heads = 0
        var bytes = 0
    }

    /// The rows of each disk, with the numbers of their conversations.
    private var rows: [Int: [Int64: (conversation: UInt32, sum: Sum)]] = [:]
    private var sums: [Int: [UInt32: Sum]] = [:]

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .started(let node): recount(node, world)
        case .persisted(let node, let persist) where quota(of: node, world) != Limits().quota:
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
        default: break
        }
    }

    private func quota(of node: Int, _ world: World) -> Quota {
        (world.nodes[node].limits ?? world.settings.limits).quota
    }

    private mutating func recount(_ node: Int, _ world: World) {
        rows[node] = [:]
        sums[node] = [:]
        guard quota(of: node, world) != Limits().quota else { return }
        for row in world.nodes[node].disk.rows.keys { count(row, on: node, world) }
    }

    private mutating func count(_ number: Int64, on node: Int, _ world: World) {
        if let (conversation, old) = rows[node]?[number] {
            sums[node]?[conversation]?.heads -= old.heads
            sums[node]?[conversation]?.bytes -= old.bytes
        }
        guard let row = world.nodes[node].disk.rows[number] else { return }
        var sum = Sum()
        for head in row.heads {
            // A damaged head cannot be decoded, and the node does not have it.
            guard let bytes = head.envelope, let envelope = try? Envelope(decoding: bytes) else {
                continue
            }
            sum.heads += 1
            sum.bytes += bytes.count + envelope.header.blobs.reduce(0) { $0 + Int($1.size) }
        }
        rows[node, default: [:]][number] = (row.conversation, sum)
        sums[node]?[row.conversation, default: Sum()].heads += sum.heads
        sums[node]?[row.conversation, default: Sum()].bytes += sum.bytes
    }

    private func look(at number: UInt32, on node: Int, _ world: World) {
        guard let conversation = world.nodes[node].disk.conversations[number] else { return }
        let quota = quota(of: node, world)
        let sum = sums[node]?[number] ?? Sum()
        if sum.heads > quota.conversation.heads {
            fail("\(sum.heads) heads, of \(quota.conversation.heads)", by: node, world)
        }
        let bytesMax =
            quota.conversation.bytes + quota.conversation.heads * Limits.sessionBytes
        if sum.bytes > bytesMax { fail("\(sum.bytes) bytes, of \(bytesMax)", by: node, world) }
        let origins = conversation.origins
        if origins.count > quota.conversation.origins {
            fail("\(origins.count) origins, of \(quota.conversation.origins)", by: node, world)
        }
        let devices = Dictionary(grouping: origins.values, by: \.deviceKey).values
        if let most = devices.map(\.count).max(), most > quota.device.origins {
            fail("\(most) origins of a device, of \(quota.device.origins)", by: node, world)
        }
    }

    private func fail(_ what: String, by node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], "\(world.nodes[node].name) keeps \(what)")
    }
}
