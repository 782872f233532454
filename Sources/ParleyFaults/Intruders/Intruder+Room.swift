import ParleyCore

/// Somebody who was in the room, and has the keys of its beginning.
extension Intruder {
    /// Comes back with the old keys.
    ///
    /// - Returns: whether it was possible.
    func comeBack(in world: World) -> Bool {
        let room = Room(world).table
        guard let state = world.nodes[intrusion.node].state(of: room) else { return false }
        world.emit(.intruded(device, [room.id]))
        var author = SimulatedAuthor(crypto: crypto, table: room)
        author.epoch = Epoch(intrusion.pick)
        let session = "s\(intrusion.pick % 5)"
        var frames = [author.originFrame]
        switch intrusion.pick >> 8 % 7 {
        case 0: frames += [write(author, session, generation: nil, world)]
        case 1: frames += [write(author, session, generation: intrusion.pick | 1, world)]
        case 2:
            let current = state.generations.currentTag
            frames += [write(author, session, generation: current, world)]
        case 3: frames = [members(siblings(state.generations, world))]
        case 4: frames = [members(cards(room, as: crypto, world))]
        case 5:
            let victim = world.nodes[intrusion.other].crypto
            frames = [members(cards(room, as: victim, world))]
        default: frames = [members(siblings(state.generations, world, hasKeys: false))]
        }
        // A relay may help with its own key.
        let relayKey = isHelped ? state.record.capability.relayKey : nil
        visit(intrusion.node, room, relayKey: relayKey, saying: frames, in: world)
        return true
    }

    private var isHelped: Bool { intrusion.pick >> 16 % 3 > 0 }

    private func members(_ records: [MemberEntry]) -> Frame {
        let number = isHelped ? 0 : MembersFrame.noNumber
        return .members(MembersFrame(conversation: number, records: records))
    }

    private func write(
        _ author: SimulatedAuthor,
        _ session: String,
        generation: UInt64?,
        _ world: World
    ) -> Frame {
        let header = EnvelopeHeader(
            tag: author.tag(session),
            dot: author.dot(1),
            revision: 1 + intrusion.pick % 40,
            context: [],
            generation: generation
        )
        let envelope = author.envelope(header, session: session, text: "an old key")
        world.emit(.wrote(envelope, author.table.id))
        return author.frame(envelope)
    }

    /// A card of a device under another name, as one of somebody else's person: of a node, without
    /// its signature; or of the intruder.
    private func cards(
        _ room: SimulatedConversation,
        as signer: SimulatedCryptography,
        _ world: World
    ) -> [MemberEntry] {
        let device = DeviceID(publicKey: signer.devicePublicKey, using: signer)
        var record = ConversationRecord(
            number: 1,
            id: room.id,
            name: room.name,
            isOpen: false,
            capability: room.capability(.writer),
            certificate: room.certificate(of: device)
        )
        record.creator = room.creator
        let keys = Conversation(
            recovered: RecoveredConversation(record: record),
            device: device,
            epoch: Epoch(intrusion.pick),
            limits: Limits(),
            using: signer
        ).keys
        var random = SeededRandom(seed: intrusion.pick)
        let made = keys.card(
            number: 1 << 60 | intrusion.pick,
            text: CardText(name: "thief", person: world.nodes[0].owner),
            isLeaving: intrusion.pick >> 20 % 2 == 0,
            random: &random,
            using: signer
        )
        guard var card = made else { return [] }
        if device != self.device { card.signature = Signature(first: .zero, second: .zero) }
        return [.card(card)]
    }

    /// Records beside the line, by a device at the end of a path of invented ones.
    ///
    /// Everybody who changed keys stands higher. Without its keys, nobody takes children of the
    /// current generation.
    private func siblings(
        _ generations: Generations,
        _ world: World,
        hasKeys: Bool = true
    ) -> [MemberEntry] {
        guard !generations.line.isEmpty || !hasKeys else { return [] }
        let room = Room(world).table
        var forge = GenerationForge(world.nodes[0].crypto, room)
        for step in 1..<UInt64(Limits.admissionSteps) {
            let invented = SimulatedCryptography(seed: 0x2_0000_0000 + step)
            forge = forge.admitting(invented, number: step == 1 ? 1_000_000 : 1)
        }
        forge = forge.admitting(crypto, number: 1)
        let seed = hasKeys ? forge.birthSeed : Bytes32(1, 2, 3, 4)
        let parent = (
            id: hasKeys ? generations.first : generations.current, seed: seed,
            number: hasKeys ? 1 : generations.number
        )
        return (0..<1 + intrusion.pick % 8).map { number in
            let secret = Bytes32(intrusion.pick, number, 9, 9)
            let made = forge.record(behind: parent, seed: secret, stays: [device])
            return .generation(made.record, made.boxes)
        }
    }
}
