/// A conversation takes the keys of its current generation, and lets go of what does not count
/// there.
///
/// A writer vouches for the heads of former members, so nothing is lost. Heads without a vouch are
/// removed: those of readers and relays, and of more authors than a device may vouch for.
struct Adoption {
    /// The vouches of this node, for others.
    private(set) var vouches: [Vouch] = []
    /// The blobs that removed heads listed.
    private(set) var unlisted: [BlobReference] = []

    init(
        of index: Int,
        in table: inout ConversationTable,
        epoch: Epoch,
        tickets: Commits,
        using crypto: some Cryptography,
        into step: inout Step
    ) {
        let number = table[index].number
        for (id, secret) in table[index].keys.generations.openBoxes(using: crypto) {
            let name = MemberRecord.secret(id)
            step.writes.append(.member(conversation: number, name, Slice(secret.bytes)))
        }
        table[index].keys.generations.dropBoxesOfLine()
        let forgotten = table[index].keys.generations.takeForgotten()
        for name in forgotten.records {
            step.writes.append(.member(conversation: number, name, nil))
        }
        for id in forgotten.boxes {
            guard let record = table[index].generations.generations[id]?.record else { continue }
            let entry = Slice(MemberEntry.generation(record, nil).packed)
            step.writes.append(.member(conversation: number, .generation(id), entry))
        }
        table[index].renew(epoch: epoch, using: crypto)
        Self.openAgain(&table[index], using: crypto, into: &step)
        // A node without the keys keeps all its heads.
        guard table[index].standing == .member else { return }
        let out = Self.headsOut(of: table[index], using: crypto)
        vouches = table[index].keys.generations.vouch(for: out, using: crypto)
        for vouch in vouches {
            let name = MemberRecord.vouch(vouch.id(using: crypto))
            step.writes.append(.member(conversation: number, name, Slice(vouch.packed)))
        }
        guard !out.isEmpty else { return }
        for session in table[index].sessions.indices {
            let (tag, heads) = (
                table[index].sessions[session].tag, table[index].sessions[session].register.heads
            )
            for head in heads
            where !table[index].origins.counts(head, in: table[index].generations, using: crypto) {
                table[index].keys.generations.uncounted.note(head, tag: tag)
            }
            unlisted += table.removeHeadsOut(
                of: Int32(session),
                in: index,
                until: tickets.next,
                using: crypto
            )
        }
    }

    /// Opens shown messages again after a disk had lost the source of their keys.
    ///
    /// Messages on disk only are opened at the next start.
    private static func openAgain(
        _ conversation: inout Conversation,
        using crypto: some Cryptography,
        into step: inout Step
    ) {
        let number = conversation.number
        guard conversation.keys.canRead else { return }
        for index in conversation.sessions.indices {
            let session = conversation.sessions[index]
            guard session.shownLine == nil, let shown = session.register.shown,
                let bytes = session.record(of: shown.dot)?.place?.bytes,
                let envelope = try? Envelope(decoding: bytes)
            else { continue }
            let before = conversation.keysInTranscript(of: Int32(index))
            conversation.show(envelope.items, shown, index, using: crypto)
            // The message was judged when it came.
            _ = conversation.roles.takeDue()
            conversation.reorder(Int32(index), from: before)
            guard conversation.sessions[index].shownLine != nil else { continue }
            let message = ShownMessage(conversation: number, tag: session.tag, dot: shown.dot)
            step.deliver(.shown(message))
        }
    }

    /// The heads that do not count any more, by origin ascending.
    private static func headsOut(
        of conversation: Conversation,
        using crypto: some Cryptography
    ) -> [(origin: OriginID, digests: [Bytes16])] {
        var out: [OriginID: [Bytes16]] = [:]
        var areIn: Set<OriginID> = []
        let generations = conversation.generations
        for session in conversation.sessions {
            for head in session.register.heads where !areIn.contains(head.dot.origin) {
                guard !conversation.origins.counts(head, in: generations, using: crypto) else {
                    if generations.vouches.isEmpty { areIn.insert(head.dot.origin) }
                    continue
                }
                out[head.dot.origin, default: []].append(head.digest.prefix16)
            }
        }
        return out.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
