import ParleyCore

/// The acts of intruders.
extension Intruder {
    private var first: SimulatedConversation { SimulatedConversation(1) }
    private var second: SimulatedConversation { SimulatedConversation(2) }

    /// Performs the intrusion; returns whether it was possible.
    func act(in world: World) -> Bool {
        switch intrusion.kind {
        case .babbles:
            _ = open(to: intrusion.node, saying: intrusion.bytes, in: world)
            return true
        case .reflectsTags:
            _ = open(to: intrusion.node, in: world)
            return true
        case .passesTags:
            _ = open(to: intrusion.node, in: world)
            _ = open(to: intrusion.other, in: world)
            return true
        case .forges: return forge(in: world)
        case .certifiesItself: return certifyItself(in: world)
        case .posesAsGuest: return poseAsGuest(in: world)
        case .replays: return replay(in: world)
        case .announces: return announce(in: world)
        case .signals: return signal(in: world)
        case .knocks: return knock(in: world)
        case .returns: return comeBack(in: world)
        case .comesFromFar, .writesLaterVersion, .claimsFuture, .equivocates, .fillsSession,
            .floods, .inventsGuests:
            return write(in: world)
        }
    }

    private func isMember(_ node: Int, _ conversation: SimulatedConversation, _ world: World)
        -> Bool
    {
        world.number(of: conversation, at: node) != nil
    }

    /// An envelope of a conversation on a node's disk.
    private func envelope(
        of conversation: SimulatedConversation,
        at node: Int,
        in world: World
    ) -> Envelope? {
        let disk = world.nodes[node].disk
        let heads = disk.sortedRows
            .filter { disk.conversations[$0.conversation]?.record.id == conversation.id }
            .flatMap(\.heads)
        guard !heads.isEmpty else { return nil }
        let head = heads[Int(intrusion.pick % UInt64(heads.count))]
        return head.envelope.flatMap { try? Envelope(decoding: $0) }
    }

    private func enter(_ conversations: [SimulatedConversation], _ world: World) {
        world.emit(.intruded(device, conversations.map(\.id)))
    }

    // MARK: Relays

    private func forge(in world: World) -> Bool {
        guard isMember(intrusion.node, first, world),
            let real = envelope(of: first, at: intrusion.node, in: world)
        else { return false }
        enter([first], world)
        let header = EnvelopeHeader(
            tag: real.header.tag,
            dot: Dot(origin: real.header.dot.origin, sequence: real.header.dot.sequence + 500),
            revision: real.header.revision + 1,
            context: real.header.context
        )
        let author = SimulatedAuthor(crypto: crypto, table: first)
        let forged = author.envelope(header, session: "forged", text: "forged")
        visit(intrusion.node, first, saying: [author.frame(forged)], in: world)
        return true
    }

    private func certifyItself(in world: World) -> Bool {
        guard isMember(intrusion.node, first, world) else { return false }
        enter([first], world)
        let author = SimulatedAuthor(crypto: crypto, table: first)
        let record = OriginRecord(
            deviceKey: crypto.devicePublicKey,
            epoch: author.epoch,
            certificate: crypto.sign(device.certifiedBytes.span.bytes)
        )
        let origin = Frame.origin(OriginFrame(conversation: 0, record: record))
        let header = author.header("s0", 1, revision: 3)
        let envelope = author.envelope(header, session: "s0", text: "uncertified")
        visit(intrusion.node, first, saying: [origin, author.frame(envelope)], in: world)
        return true
    }

    private func replay(in world: World) -> Bool {
        guard isMember(intrusion.node, first, world), isMember(intrusion.node, second, world),
            let real = envelope(of: first, at: intrusion.node, in: world)
        else { return false }
        enter([first, second], world)
        let author = SimulatedAuthor(crypto: crypto, table: second)
        visit(intrusion.node, second, saying: [author.frame(real.bytes)], in: world)
        return true
    }

    /// Announces envelopes that do not exist.
    ///
    /// Some are in sessions of the nodes, some under origins of nodes, and some are wholly made up.
    private func announce(in world: World) -> Bool {
        guard isMember(intrusion.node, first, world) else { return false }
        enter([first], world)
        var random = SeededRandom(seed: intrusion.pick ^ device.hint)
        let author = SimulatedAuthor(crypto: crypto, table: first)
        let origins = world.nodes.compactMap { node in
            node.machine?.conversations.first { $0.record.id == first.id }?.keys.ownOrigin
        }
        let limits = world.nodes[intrusion.node].limits ?? world.settings.limits
        let real = world.nodes.flatMap { node in
            node.machine?.conversations.first { $0.record.id == first.id }?.sessions
                .flatMap(\.register.heads) ?? []
        }
        let entries = (1...min(intrusion.announced, limits.namesPerLink)).map { number in
            let isUsed = random.chance(1, in: 4)
            let tag = isUsed ? author.tag("s\(random.next() % 3)") : nil
            let origin = random.chance(1, in: 3) ? origins.randomElement(using: &random) : nil
            let dot = Dot(
                origin: origin ?? OriginID(Bytes16(random.next(), random.next())),
                sequence: 1 << 40 + random.next() % 1_000_000
            )
            // A real envelope in a wrong session.
            let head = random.chance(1, in: 4) ? real.randomElement(using: &random) : nil
            return HaveEntry(
                position: UInt64(number),
                tag: tag ?? SessionTag(Bytes16(random.next(), random.next())),
                dot: head?.dot ?? dot,
                revision: 1 + random.next() % 1_000,
                digestPrefix: head?.digest.words.0 ?? random.next()
            )
        }
        let half = entries.count / 2
        let lists = [entries[..<half], entries[half...]].filter { !$0.isEmpty }
            .map { Frame.have(HaveList(conversation: 0, entries: Array($0))) }
        let end = visit(intrusion.node, first, saying: Array(lists.prefix(1)), in: world)
        say(Array(lists.dropFirst()), on: end, after: 500, in: world)
        return true
    }

    // MARK: Writers

    private func write(in world: World) -> Bool {
        guard isMember(intrusion.node, first, world), isMember(intrusion.other, first, world) else {
            return false
        }
        enter([first], world)
        var author = SimulatedAuthor(crypto: crypto, table: first)
        author.epoch = Epoch(intrusion.pick)
        // Recorded seeds find the same only with the same bytes of the name.
        let session = "lies \(intrusion.pick % 4)"
        switch intrusion.kind {
        case .comesFromFar:
            let session = "far \(intrusion.pick % 1_000)"
            let header = author.header(session, 1)
            let envelope = author.envelope(header, session: session, text: "from far away")
            world.emit(.wrote(envelope, first.id))
            visit(
                intrusion.node,
                first,
                saying: [author.originFrame, author.frame(envelope, hops: 200)],
                in: world
            )
        case .writesLaterVersion:
            let header = author.header(session, 1)
            let envelope = author.envelope(
                header,
                session: session,
                text: "later",
                moreItems: [0x07, 0x62, 0x68, 0x69]
            )
            bring([envelope], intrusion.node, author, in: world)
        case .claimsFuture: claimFuture(author, world)
        case .floods, .inventsGuests: flood(first, in: world)
        case .equivocates:
            for (node, text) in [(intrusion.node, "one"), (intrusion.other, "another")] {
                let header = author.header(session, 1, revision: 2)
                let envelope = author.envelope(header, session: session, text: text)
                bring([envelope], node, author, in: world)
            }
        default: fillSession(author, world)
        }
        return true
    }

    /// Claims a context with all future messages of all nodes, in a session of the nodes.
    private func claimFuture(_ author: SimulatedAuthor, _ world: World) {
        let origins = world.nodes.compactMap { node in
            node.machine?.conversations.first { $0.record.id == first.id }?.keys.ownOrigin
        }
        let context = Set(origins).map { Dot(origin: $0, sequence: 1 << 30) }
        let session = "s\(intrusion.pick % 3)"
        let header = author.header(session, 1, revision: 1 + intrusion.pick % 8, context: context)
        let envelope = author.envelope(header, session: session, text: "the future")
        bring([envelope], intrusion.node, author, in: world)
    }

    /// Fills a session with concurrent messages beyond the limit, then makes capacity again.
    ///
    /// Higher sequences have lower revisions, so none dominates another. The last message dominates
    /// the first 64, so there is capacity again for the dropped messages.
    private func fillSession(_ author: SimulatedAuthor, _ world: World) {
        let session = "full \(intrusion.pick % 1_000)"
        let count = UInt64(Limits.heads) + 6
        let all = (1...count).map { sequence in
            let header = author.header(session, sequence, revision: 200 - sequence)
            return author.envelope(header, session: session, text: "\(sequence)")
        }
        var second = author
        second.epoch = Epoch(intrusion.pick &+ 1)
        let context = [author.dot(UInt64(Limits.heads))]
        let header = second.header(session, 1, revision: 300, context: context)
        let last = second.envelope(header, session: session, text: "replaces")
        let rest = Array(all.suffix(6))
        bring(all + [last] + rest, intrusion.node, author, second, in: world)
        bring([last] + rest, intrusion.other, author, second, in: world)
    }

    private func bring(
        _ envelopes: [Slice],
        _ node: Int,
        _ author: SimulatedAuthor,
        _ second: SimulatedAuthor? = nil,
        in world: World
    ) {
        for envelope in envelopes { world.noteByzantineWrite(envelope, in: first.id) }
        var frames = [author.originFrame]
        if let second { frames.append(second.originFrame) }
        frames += envelopes.map { author.frame($0) }
        visit(node, first, saying: frames, in: world)
    }
}
