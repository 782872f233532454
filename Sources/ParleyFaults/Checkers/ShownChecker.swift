import ParleyCore

/// A node shows each message at most once and only when it is on its disk, and never goes back to
/// an earlier message of a session.
package struct ShownChecker: Checker {
    package static let promise = Promise("shown once, never backwards")
    package static let watches: WorldEvent.Kinds = [.delivered, .membership, .faults]

    private struct Session: Hashable {
        let node: Int
        let conversation: ConversationID
        let tag: SessionTag
    }

    private let ledger: Ledger
    private var shown: [Session: Set<Dot>] = [:]
    private var last: [Session: EnvelopeOrder] = [:]

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .delivered(let node, .shown(let message)): take(message, node, world)
        case .left(let node, _), .fault(.lostRow(let node, _)), .fault(.damagedRow(let node, _)),
            .fault(.restore(let node, _)):
            // Messages that the node forgot may be shown again.
            shown = shown.filter { $0.key.node != node }
            last = last.filter { $0.key.node != node }
        default: break
        }
    }

    private mutating func take(_ message: ShownMessage, _ node: Int, _ world: World) {
        guard let conversation = ledger.copies[node].numbers[message.conversation],
            let written = ledger.written[Ledger.Key(conversation: conversation, dot: message.dot)],
            // Two envelopes may have this dot.
            written.count == 1, !ledger.mayBeTwo(message.dot),
            !ledger.mayLetGo(message.tag, in: conversation, at: node, world)
        else { return }
        let session = Session(node: node, conversation: conversation, tag: message.tag)
        func fail(_ verb: String, _ rest: String) {
            let word = "\(world.word(message.dot)) of \(world.word(message.tag))"
            let what = "\(world.nodes[node].name) \(verb) \(word)\(rest)"
            world.fail(Self.promise, by: [node], what)
        }
        if !shown[session, default: []].insert(message.dot).inserted {
            fail("shows", " again")
        }
        if !ledger.isOnDisk(message.dot, of: message.tag, in: conversation, at: node),
            !ledger.byzantineSessions.contains(message.tag)
        {
            fail("shows", ", which is not on its disk")
        }
        let order = EnvelopeOrder(written[0], world)
        if let before = last[session], order < before { fail("goes back to", "") }
        last[session] = order
    }
}

/// The order of the envelopes of a session, as the specification defines it.
struct EnvelopeOrder: Comparable {
    let revision: UInt64
    /// The bits, the highest first.
    let tieBreak: [UInt8]
    let digest: Bytes32

    init(_ written: Ledger.Written, _ world: World) {
        let header = written.header
        revision = header.revision
        // The first bit after the turn is bit `revision` of the bytes, counted from the left.
        let mixed = zip(header.tag.bytes, header.dot.origin.bytes).map { $0 ^ $1 }
        tieBreak = (0..<128).map { offset in
            let bit = Int((header.revision + UInt64(offset)) % 128)
            return mixed[bit / 8] >> UInt8(7 - bit % 8) & 1
        }
        let crypto = world.nodes[0].crypto
        // The ledger has only envelopes that can be decoded.
        let envelope = try? Envelope(decoding: written.bytes)
        digest = envelope?.digest(in: written.conversation, using: crypto) ?? .zero
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.revision != right.revision { return left.revision < right.revision }
        if left.tieBreak != right.tieBreak {
            return left.tieBreak.lexicographicallyPrecedes(right.tieBreak)
        }
        return left.digest < right.digest
    }
}
