import ParleyCore
import ParleyKeys
import Testing

/// A node takes the vectors from a peer that has nothing but them.
@Suite struct NodeVectorTests {
    private let world = World()

    @Test func aNodeProvesItsMembershipAsTheVectorSays() throws {
        var node = reader()
        let tags = try node.begin(world).compactMap { frame -> [Bytes16]? in
            guard case .conversations(let tags) = frame else { return nil }
            return tags.tags
        }
        // The node was dialled, so its role is 1.
        #expect(tags.first?.first == world.membershipTag(role: 1))
        #expect(tags.first?.count == Limits.conversationGroup)
    }

    @Test func aReaderTakesAndShowsTheEnvelopes() throws {
        var node = reader()
        try node.meet(world)
        for device in world.devices.indices {
            let record = try world.originRecord(device)
            node.receive(.origin(OriginFrame(conversation: 0, record: record)))
        }
        let vectors = try EnvelopeVectors(world).envelopes
        for (index, vector) in vectors.enumerated() {
            let envelope = Slice(try bytes(vector.envelope))
            node.receive(
                .envelope(
                    EnvelopeFrame(
                        conversation: 0,
                        hops: 0,
                        position: UInt64(index + 1),
                        envelope: envelope
                    )
                )
            )
            let body = node.machine.conversation(1)?.open(envelope, using: node.machine.crypto)
            #expect(body?.encoded() == (try bytes(vector.body)), "\(vector.name)")
        }
        #expect(node.refusals.isEmpty)
        let shown = world.sessions.map { session in
            node.machine.conversation(1)?.view(world.tag(session))?.heads.map(\.dot)
        }
        let last = [1, 2, 3, 4].map { index in
            let vector = vectors[index]
            let origin = world.origin(vector.author)
            return [Dot(origin: origin, sequence: index == 1 ? 1 : UInt64(index))]
        }
        #expect(shown == last.map { Optional($0) })
    }

    @Test func aReaderOpensTheBlob() throws {
        let node = reader()
        let blob = try EnvelopeVectors(world).blob
        let conversation = try #require(node.machine.conversations.first)
        let opened = conversation.keys.openBlob(
            Slice(try bytes(blob.sealed)),
            of: world.origin(blob.author),
            using: node.machine.crypto
        )
        #expect(opened == (try bytes(blob.content)))
    }

    @Test func aChangedEnvelopeIsForged() throws {
        var node = reader()
        try node.meet(world)
        let record = try world.originRecord(0)
        node.receive(.origin(OriginFrame(conversation: 0, record: record)))
        var changed = try bytes(try EnvelopeVectors(world).envelopes[0].envelope)
        changed[60] ^= 1
        node.receive(
            .envelope(
                EnvelopeFrame(conversation: 0, hops: 0, position: 1, envelope: Slice(changed))
            )
        )
        #expect(node.refusals == [.badProof])
    }

    @Test func framesOverALimitAreRefused() throws {
        let vectors = try FrameVectors(world).refused.filter { $0.goodbye == "overLimit" }
        #expect(vectors.map(\.type) == [FrameType.feed.rawValue, FrameType.audit.rawValue])
        for vector in vectors {
            var node = reader()
            try node.meet(world, feeds: vector.type != FrameType.feed.rawValue)
            node.receive(try bytes(vector.bytes))
            let refusal = Refusal.overLimit("a feed position that nobody reaches")
            #expect(node.refusals == [refusal], "\(vector.name)")
        }
    }

    private func reader() -> VectorNode { VectorNode(world) }
}

/// A node with a reader's keys of the sample conversation and one link, dialled by the peer.
private struct VectorNode {
    var machine: NodeMachine
    var refusals: [Refusal] = []
    private var moment = Moment.start
    private let link = LinkID(1)

    init(_ world: World) {
        let record = ConversationRecord(
            number: 1,
            id: world.conversation,
            name: "chess",
            isOpen: false,
            capability: Capability(
                publicWriteKey: world.capability.publicWriteKey,
                relayKey: world.capability.relayKey,
                readKey: world.capability.readKey,
                writerSeed: nil
            ),
            certificate: nil
        )
        machine = NodeMachine(
            configuration: NodeConfiguration(deviceName: "reader", software: "test"),
            crypto: DeviceCryptography(DeviceKey(seed: thirtyTwo(from: 0xc0))),
            random: FixedRandom(),
            recovery: Recovery()
        )
        _ = machine.start(at: moment)
        _ = machine.handle(.joined(record), at: moment)
    }

    /// Opens the link and greets; returns the frames that the node says.
    mutating func begin(_ world: World) throws -> [Frame] {
        let opened = OpenedLink(
            id: link,
            dial: nil,
            peerKey: world.devices[0].publicKey,
            exporter: world.exporter,
            address: "192.0.2.7:27275"
        )
        _ = machine.handle(.linkOpened(opened), at: moment)
        let hello = try #require(try FrameVectors(world).frames.first { $0.name == "hello" })
        let effects = machine.handle(.received(link, Slice(try bytes(hello.bytes))), at: moment)
        var parser = FrameParser()
        for send in effects.sends { parser.append(Slice(send.bytes)) }
        var frames: [Frame] = []
        while let raw = try parser.next(frameBytesMax: Limits.frameBytes) {
            if let frame = try Frame(decoding: raw) { frames.append(frame) }
        }
        return frames
    }

    /// Opens the link, and makes it that of a member, which says how it counts its positions if it
    /// `feeds`.
    mutating func meet(_ world: World, feeds: Bool = true) throws {
        _ = try begin(world)
        for name in feeds ? ["conversations", "feed"] : ["conversations"] {
            let frame = try FrameVectors(world).frames.first { $0.name == name }
            receive(try bytes(try #require(frame).bytes))
        }
    }

    mutating func receive(_ frame: Frame) {
        var buffer: [UInt8] = []
        frame.append(to: &buffer)
        receive(buffer)
    }

    mutating func receive(_ bytes: [UInt8]) {
        let effects = machine.handle(.received(link, Slice(bytes)), at: moment)
        for delivery in effects.deliveries {
            if case .refused(_, _, _, let refusal) = delivery { refusals.append(refusal) }
        }
        guard let persist = effects.persist else { return }
        _ = machine.handle(.committed(persist.ticket), at: moment)
    }
}

/// Numbers that count up: nothing random is compared.
private struct FixedRandom: RandomNumberGenerator {
    private var last: UInt64 = 0

    mutating func next() -> UInt64 {
        last &+= 0x9e37_79b9_7f4a_7c15
        return last
    }
}
