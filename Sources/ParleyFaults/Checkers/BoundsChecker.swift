import ParleyCore

/// The queues for peers, and a node's state about peers, stay within their limits.
package struct BoundsChecker: Checker {
    package static let promise = Promise("bounded")
    package static let watches: WorldEvent.Kinds = [.sent, .drained, .processes, .answered]

    /// The bytes of envelopes handed over for a link that the kernel has not taken yet.
    private struct Waiting {
        var bytes = 0
        var last = 0
    }

    private var waiting: [LinkEnd: Waiting] = [:]

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .sent(let node, _, let link, let bytes):
            sent(bytes, LinkEnd(node: node, link: link), world)
        case .input(let node, .drained(let link)):
            waiting[LinkEnd(node: node, link: link)] = nil
        case .ended(let node, _): waiting = waiting.filter { $0.key.node != node }
        case .answered(let node, _): look(at: node, world)
        default: break
        }
    }

    /// Checks the limit of a link: an envelope is sent only while the queue is below the limit, so
    /// all but the last one are below it.
    private mutating func sent(_ bytes: Slice, _ end: LinkEnd, _ world: World) {
        let node = world.nodes[end.node]
        guard !node.isByzantine else { return }
        let limit = (node.limits ?? world.settings.limits).outboxBytes
        waiting[end, default: Waiting()].bytes += Self.envelopeBytes(in: bytes)
        for frame in SentFrames(bytes) where frame.type == FrameType.envelope.rawValue {
            waiting[end]?.last = FrameHeader.count + frame.body.count
        }
        guard let now = waiting[end], now.bytes - now.last > limit else { return }
        fail("\(now.bytes) bytes of envelopes wait for one link, of \(limit)", by: end.node, world)
    }

    /// The bytes of sent frames with envelopes; a batch frame is shorter than its envelopes.
    private static func envelopeBytes(in bytes: Slice) -> Int {
        var (sum, offset) = (0, 0)
        while offset + FrameHeader.count <= bytes.count {
            let header = FrameHeader(reading: bytes, at: offset)
            let size = FrameHeader.count + header.length
            if [FrameType.envelope.rawValue, BatchFrame.type].contains(header.type) { sum += size }
            offset += size
        }
        return sum
    }

    private func look(at node: Int, _ world: World) {
        guard let load = world.nodes[node].load else { return }
        let limits = world.nodes[node].limits ?? world.settings.limits
        if load.outboxBytes > NodeLoad.outboxBytesMax {
            fail("\(load.outboxBytes) bytes wait for one link", by: node, world)
        }
        if load.missing > limits.namesPerLink {
            fail("\(load.missing) envelopes are missing on one link", by: node, world)
        }
        if load.announcedBytes > limits.announcedBytes {
            fail("\(load.announcedBytes) bytes of announced envelopes", by: node, world)
        }
        // A second link to a device takes no slot until one of the two has ended.
        if load.links > 2 * limits.links { fail("\(load.links) members' links", by: node, world) }
        if load.requests > Limits.waitingRequests {
            fail("\(load.requests) requests wait for a commit", by: node, world)
        }
        if load.deviceNames > limits.deviceNames {
            fail("\(load.deviceNames) names are remembered", by: node, world)
        }
        let capacity = limits.commitQueueBytes + limits.links * (1 << 20) + (64 << 20)
        if load.commitBytes > capacity {
            fail("\(load.commitBytes) bytes wait for the disk", by: node, world)
        }
    }

    private func fail(_ what: String, by node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], "at \(world.nodes[node].name) \(what)")
    }
}
