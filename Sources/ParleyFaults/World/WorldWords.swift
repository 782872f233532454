package import ParleyCore

/// Frames, deliveries and dots in the words of the glossary.
package struct WorldWords {
    private let nodes: [SimulatedNode]
    /// The names of sessions, by their tags.
    private let sessions: [SessionTag: String]

    package init(nodes: [SimulatedNode], sessions: [SessionTag: String]) {
        self.nodes = nodes
        self.sessions = sessions
    }

    /// A dot as the name of its author and its sequence; origins of other epochs get a stroke.
    package func word(_ dot: Dot) -> String {
        for node in nodes {
            for conversation in node.machine?.conversations.all ?? []
            where conversation.keys.ownOrigin == dot.origin {
                return "\(node.name)\(dot.sequence)"
            }
        }
        for node in nodes {
            let device = node.device
            for other in nodes {
                for conversation in other.machine?.conversations.all ?? []
                where conversation.origins[dot.origin]?.device == device {
                    return "\(node.name)'\(dot.sequence)"
                }
            }
        }
        return "?\(dot.sequence)"
    }

    package func word(_ tag: SessionTag) -> String {
        sessions[tag] ?? "session \(tag.hex.prefix(4))"
    }

    package func words(_ dots: [Dot]) -> String {
        dots.map(word).joined(separator: " and ")
    }

    /// The frame in words; nil for frames of every link, which would hide the others.
    package func words(_ frame: Frame) -> String? {
        switch frame {
        case .hello, .conversations, .credit, .ping, .pong, .peers, .pairing: return nil
        case .members(let members): return "\(members.records.count) records of members"
        case .receipts(let frame):
            let latest = Dot(origin: frame.origin, sequence: 0)
            return "\(frame.receipts.count) receipts for the origin of \(word(latest))"
        case .knock(.knock(let invite, _)): return "knock by invite \(invite)"
        case .knock(.letIn(let invite, _)): return "let in by invite \(invite)"
        case .knock(.refused(let invite, let why)): return "no by invite \(invite): \(why)"
        case .goodbye(let goodbye): return "goodbye, \(goodbye.reason)"
        case .signal(let signal): return "signal \(word(signal.dot)), \(signal.hops) hops"
        case .spare(let isSpare): return isSpare ? "does not need the link" : "needs the link"
        case .envelope(let frame):
            guard let envelope = try? Envelope(decoding: frame.envelope) else {
                return "unreadable envelope"
            }
            let header = envelope.header
            return "envelope \(word(header.dot)) of \(word(header.tag)), "
                + "revision \(header.revision), position \(frame.position)"
                + (frame.isAwaited ? " with a request" : "")
                + (frame.hops == 0 ? "" : ", \(frame.hops) hops")
        case .stored(let stored):
            return "stored up to \(stored.position)" + (stored.isFull ? ", full" : "")
        case .feed(let feed):
            return "feed from \(feed.since.position)"
                + (feed.since.incarnation == 0 ? "" : " of an incarnation")
        case .have(let list): return "have " + list.entries.map(word).joined(separator: ", ")
        case .want(let list): return "want " + list.entries.map(word).joined(separator: ", ")
        case .blobWant(let want): return "want \(want.chunks.count) chunks of a blob"
        case .blobChunk(let chunk):
            return chunk.bytes.isEmpty
                ? "no such blob" : "chunk \(chunk.index) of a blob, \(chunk.bytes.count) bytes"
        case .audit(let audit): return "audit at \(audit.ownPosition), \(audit.peerPosition)"
        case .origin(let origin):
            let device = DeviceID(publicKey: origin.record.deviceKey, using: nodes[0].crypto)
            return "origin of \(nodes.first { $0.device == device }?.name ?? "a stranger")"
        }
    }

    private func word(_ entry: HaveEntry) -> String {
        guard entry.dot.sequence > 0 else {
            return entry.position > 0 ? "all up to \(entry.position)" : "no more of a session"
        }
        return word(entry.dot) + (entry.position > 0 ? " at \(entry.position)" : "")
            + (entry.isAwaited ? " with a request" : "")
    }

    /// The delivery of a node in words; nil for those that would hide the others.
    func words(_ delivery: Delivery, of node: Int) -> String? {
        switch delivery {
        case .answer(_, let answer): return "is answered: \(words(answer))"
        case .linked(_, let count): return "hears that \(count) linked nodes have its message"
        case .delivered(_, let count): return "hears that \(count) devices have its message"
        case .shown(let shown):
            guard let machine = nodes[node].machine,
                let conversation = machine.conversation(shown.conversation),
                let view = conversation.view(shown.tag),
                let head = view.heads.first(where: { $0.dot == shown.dot }),
                let envelope = head.envelope,
                let body = conversation.open(envelope, using: machine.crypto)
            else { return "shows \(word(shown.dot)) of \(word(shown.tag))" }
            return "shows \(word(shown.dot)) of \(word(shown.tag)): \"\(body.url ?? "")\""
        case .conflict(let conflict):
            return conflict.heads.count > 1
                ? "reports a conflict in \(word(conflict.tag)): \(words(conflict.heads))"
                : "reports that \(words(conflict.heads)) settled \(word(conflict.tag))"
        case .outOfTurn(_, let tag, let dot, _):
            return "reports that \(word(dot)) of \(word(tag)) was out of turn"
        case .equivocation(_, let tag, let dot):
            return "reports two envelopes \(word(dot)) of \(word(tag))"
        case .full(_, let shortage): return "leaves messages out: \(words(shortage))"
        case .headDropped(_, let tag, let dot): return "drops \(word(dot)) of \(word(tag))"
        case .blobArrived: return "has a blob complete"
        case .blobDamaged(_, _, let chunks): return "finds \(chunks) chunks of a blob damaged"
        case .signal(let notice): return "hears the signal \(word(notice.dot))"
        case .link(let notice): return words(notice)
        case .pairing(let notice): return "pairs: \(notice.stage)"
        case .shared(_, let device): return "hears of a conversation from \(name(device))"
        case .knocked(let notice): return "hears from \(name(notice.door.device)): \(notice.end)"
        case .letIn(_, let device, let invite): return "let \(name(device)) in by invite \(invite)"
        case .admissions: return "learns who let whom in"
        case .rotated(_, let result): return "changes the keys: \(result)"
        case .generation(let notice):
            return "follows generation \(notice.number) by \(name(notice.author)):"
                + " \(notice.standing)"
        case .refused(_, let device, _, let refusal):
            return "refuses what \(name(device)) sent: \(refusal.sentence)"
        case .duplicateIdentity(let device, _): return "finds \(name(device)) twice"
        case .divergence(_, let device, let buckets):
            return "differs from \(name(device)) in \(buckets) buckets"
        case .damaged(_, let what): return "finds damage: \(what)"
        }
    }

    private func words(_ shortage: Shortage) -> String {
        switch shortage {
        case .conversation: "the conversation is full"
        case .openConversations: "open conversations are full"
        case .allConversations: "all conversations together are full"
        case .device(let device): "\(name(device)) has its share"
        case .origins: "there are too many origins"
        }
    }

    private func words(_ answer: AuthorAnswer) -> String {
        switch answer {
        case .stored(let message): "stored \(word(message.dot)), revision \(message.revision)"
        case .stale(let dots): "stale, there is \(words(dots))"
        case .conversationFull(let shortage, _): "refused: \(words(shortage))"
        default: "\(answer)"
        }
    }

    private func words(_ notice: LinkNotice) -> String? {
        let peer = name(notice.device)
        switch notice.change {
        case .greeted, .full: return nil
        case .joined: return "shares a conversation with \(peer)"
        case .suspected: return "hears nothing from \(peer)"
        case .closed(.said(let reason, _)): return "ends the link to \(peer): \(reason)"
        case .closed(.heard(let reason, _)): return "hears goodbye from \(peer): \(reason)"
        case .closed(.lost): return "loses the link to \(peer)"
        }
    }

    private func name(_ device: DeviceID) -> String {
        nodes.first { $0.device == device }?.name ?? "a stranger"
    }
}
