import ParleyCore
import ParleyFaults

/// The node of Ben, a puppet, in a conversation that Ada has created.
///
/// Ada let Ben, Cid and Xan in, and changes keys without Xan. The peer of the puppet has her device
/// key, and says what the test tells it to.
struct ThrownOut {
    let table: SimulatedConversation
    let ada: GenerationForge
    let ben: GenerationForge
    let cid: GenerationForge
    let xan: GenerationForge
    var puppet: Puppet
    /// What Ada knows of the keys.
    private(set) var generations: Generations
    /// S of the generations that were made here, the birth generation first.
    private(set) var seeds: [Bytes32]

    init(role: Capability.Role = .writer, crypto: (any Cryptography)? = nil) {
        let creator = SimulatedCryptography(seed: 2)
        table = SimulatedConversation(1, creator: creator.devicePublicKey)
        ada = GenerationForge(creator, table)
        ben = ada.admitting(SimulatedCryptography(seed: 1), number: 1)
        cid = ada.admitting(SimulatedCryptography(seed: 5), number: 2)
        xan = ada.admitting(SimulatedCryptography(seed: 3), number: 3)
        puppet = Puppet(role: role, table: table, crypto: crypto)
        generations = Generations(
            conversation: table.id,
            root: table.capability(.writer),
            creator: creator.devicePublicKey,
            using: creator
        )
        seeds = [ada.birthSeed]
        puppet.meetAndSync()
        bring([ben, cid, xan].map { .admission($0.path[0]) })
    }

    // MARK: Saying

    func known(
        _ one: GenerationForge,
        as role: Capability.Role = .writer,
        key: Bytes32? = nil
    ) -> KnownDevice {
        let key = key ?? one.crypto.devicePublicKey
        return KnownDevice(device: one.device, key: key, role: role, generation: nil)
    }

    /// Ada changes the keys: without Xan, unless the test says who stays.
    mutating func change(stays: [KnownDevice]? = nil) throws -> MemberEntry {
        let seed = Bytes32(UInt64(seeds.count), 1, 1, 1)
        let terms = RotationTerms(
            parent: generations.current,
            path: [],
            stays: stays ?? [known(ada), known(ben), known(cid)],
            seed: seed,
            ephemeral: Bytes32(UInt64(seeds.count), 2, 2, 2)
        )
        let made = try generations.rotate(by: terms, using: ada.crypto)
        seeds.append(seed)
        return .generation(made.record, made.boxes)
    }

    /// Somebody with the keys of a generation vouches there; the generation has the number.
    func vouch(
        by one: GenerationForge,
        at number: Int,
        for digests: [Bytes16],
        of origin: OriginID
    ) -> Vouch {
        let line = [generations.first] + generations.line
        return Vouch(
            for: digests,
            of: origin,
            in: table.id,
            at: line[number],
            writeSeed: Capability.writeSeed(seeds[number], using: one.crypto),
            using: one.crypto
        )
    }

    /// The peer sends records in one frame.
    mutating func bring(_ records: [MemberEntry], on link: LinkID = LinkID(1)) {
        puppet.send(.members(MembersFrame(conversation: 0, records: records)), on: link)
    }

    /// The peer sends a message, and introduces the author before.
    ///
    /// - Returns: the digest.
    @discardableResult
    mutating func bring(
        _ author: SimulatedAuthor,
        _ session: String,
        _ sequence: UInt64,
        revision: UInt64 = 1,
        context: [Dot] = [],
        text: String = "said",
        generation: UInt64? = nil
    ) -> Bytes32 {
        var header = author.header(session, sequence, revision: revision, context: context)
        header.generation = generation
        let envelope = author.envelope(header, session: session, text: text)
        puppet.send(author.originFrame)
        puppet.send(author.frame(envelope))
        let head = try? Envelope(decoding: envelope).head(in: table.id, using: author.crypto)
        return head?.digest ?? .zero
    }

    func author(_ one: GenerationForge) -> SimulatedAuthor {
        SimulatedAuthor(crypto: one.crypto, table: table)
    }

    /// The node starts again from what is on its disk.
    mutating func restart(syncing: Bool = true) {
        puppet = Puppet(table: table, disk: puppet.disk, seed: 5)
        guard syncing else { return }
        meet()
    }

    /// The node begins anew and joins by keys of later than the birth generation.
    mutating func join(by capability: Capability) {
        puppet = Puppet(table: table, disk: SimulatedDisk(), seed: 6)
        let seed = capability.writerSeed ?? .zero
        let record = ConversationRecord(
            number: 1,
            id: table.id,
            name: "later",
            isOpen: false,
            capability: capability,
            certificate: ben.crypto.sign(
                ben.device.certifiedBytes.span.bytes,
                bySeed: Capability.writeSeed(seed, using: ben.crypto)
            )
        )
        puppet.handle(.joined(record))
        meet(relayKey: capability.relayKey)
    }

    var birth: MemberEntry {
        .birth(
            Birth(
                publicWriteKey: table.capability(.writer).publicWriteKey,
                creator: ada.crypto.devicePublicKey
            )
        )
    }

    /// Ada's device makes a link, with the keys that she has.
    mutating func meet(relayKey: Bytes32? = nil) {
        puppet.open()
        puppet.send(puppet.hello)
        puppet.send(tags(relayKey ?? generations.capability(using: ada.crypto)?.relayKey))
        puppet.sync()
    }

    /// The proof of the keys of the current generation.
    var tags: Frame { tags(generations.capability(using: ada.crypto)?.relayKey) }

    private func tags(_ relayKey: Bytes32?) -> Frame {
        var tags = [table.tag(exporter: puppet.exporter, side: 0, relayKey: relayKey)]
        while tags.count < Limits.conversationGroup { tags.append(Bytes16(UInt64(tags.count), 1)) }
        return .conversations(ConversationTags(tags: tags))
    }

    // MARK: Seeing

    var state: Conversation? { puppet.machine.conversations.first }

    /// The digests of the heads of a session.
    func heads(_ session: String) -> [Bytes32] {
        state?.session(author(ada).tag(session))?.register.heads.map(\.digest) ?? []
    }

    /// The digests of all heads.
    var heads: [SessionTag: [Bytes32]] {
        let sessions = state?.sessions.filter { !$0.register.heads.isEmpty } ?? []
        return Dictionary(
            uniqueKeysWithValues: sessions.map { ($0.tag, $0.register.heads.map(\.digest)) }
        )
    }

    /// The records that the node sent to the peer.
    var told: [MemberEntry] {
        puppet.frames.flatMap { frame -> [MemberEntry] in
            if case .members(let members) = frame { members.records } else { [] }
        }
    }

    /// The vouches that the node sent to the peer.
    var vouches: [Vouch] {
        told.compactMap { if case .vouch(let vouch) = $0 { vouch } else { nil } }
    }

    /// The places of the node in the generations that it followed.
    var notices: [GenerationNotice] {
        puppet.deliveries.compactMap { delivery in
            if case .generation(let notice) = delivery { notice } else { nil }
        }
    }

    /// Whether the node lists a device as a member.
    func lists(_ one: GenerationForge) -> Bool {
        guard let state else { return false }
        return puppet.machine.members.list(state, puppet.node).contains { $0.device == one.device }
    }
}

extension GenerationForge {
    /// A record with another `earlier` or `check`, signed anew; the parent has this S.
    func restated(
        _ record: GenerationRecord,
        earlier: Slice? = nil,
        check: Bytes16? = nil,
        parentSeed: Bytes32
    ) -> GenerationRecord {
        let old = record.statement
        let statement = GenerationRecord.Statement(
            conversation: old.conversation,
            parent: old.parent,
            number: old.number,
            publicWriteKey: old.publicWriteKey,
            author: old.author,
            path: old.path,
            stays: old.stays,
            earlier: earlier ?? old.earlier,
            check: check ?? old.check,
            boxes: old.boxes
        )
        let signed = GenerationRecord.signedBytes(statement.id(using: crypto))
        let writeSeed = Capability.writeSeed(parentSeed, using: crypto)
        return GenerationRecord(
            statement: statement,
            writeSignature: crypto.sign(signed.span.bytes, bySeed: writeSeed),
            deviceSignature: crypto.sign(signed.span.bytes)
        )
    }
}
