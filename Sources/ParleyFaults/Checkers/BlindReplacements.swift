import ParleyCore

/// Messages that replaced an earlier or concurrent one of the same origin without knowing it.
///
/// A message replaces all of its origin with a lower sequence. An honest author knows those, so its
/// context names whatever they had replaced. Two kinds of authors do not: one whose disk lost a
/// session or was set back, and a copy of a data directory that goes on under the same origin. The
/// message that such an author writes stands for the other one everywhere, and what the other one
/// had replaced is on no disk any more. No node could prevent that, so it breaks no promise.
struct BlindReplacements {
    private struct Session: Hashable {
        let conversation: ConversationID
        let tag: SessionTag
    }

    private struct Replacement {
        /// The message that stays.
        let by: Dot
        /// The message that it replaces without knowing it.
        let of: EnvelopeHeader
    }

    private var all: [Session: [Replacement]] = [:]

    /// Looks at what a node wrote in the step that the ledger shows.
    mutating func look(at node: Int, _ ledger: Ledger, _ world: World) {
        guard
            ledger.damaged.contains(node) || ledger.copied.contains(world.nodes[node].device)
        else { return }
        for key in ledger.copies[node].news {
            guard let new = ledger.written[key]?.last else { continue }
            let session = Session(conversation: key.conversation, tag: new.header.tag)
            let before = ledger.copies[node].before[key.conversation]?[session.tag]?.heads ?? []
            for other in ledger.others(besides: new) {
                let dot = other.header.dot
                if dot.sequence >= key.dot.sequence {
                    all[session, default: []].append(Replacement(by: dot, of: new.header))
                }
                if dot.sequence <= key.dot.sequence,
                    !ledger.isKept(dot, among: before, in: key.conversation)
                {
                    all[session, default: []].append(Replacement(by: key.dot, of: other.header))
                }
            }
        }
    }

    /// Whether a disk has the outcome of a blind replacement of a message that had replaced `dot`.
    func mayHaveTaken(
        _ dot: Dot,
        of tag: SessionTag,
        in conversation: ConversationID,
        from disk: SimulatedDisk
    ) -> Bool {
        let replacements = all[Session(conversation: conversation, tag: tag)] ?? []
        return replacements.contains { replacement in
            replacement.of.hasSeen(dot) && disk.keeps(replacement.by, tag: tag, conversation)
        }
    }
}

extension Ledger {
    /// The other envelopes of the same session and origin.
    fileprivate func others(besides one: Written) -> [Written] {
        let dot = one.header.dot
        return written.values.joined().filter { other in
            other.conversation == one.conversation && other.header.tag == one.header.tag
                && other.header.dot.origin == dot.origin && other.bytes != one.bytes
        }
    }
}
