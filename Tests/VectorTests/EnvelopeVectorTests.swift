import ParleyCore
import ParleyKeys
import Testing

/// `Tests/Vectors/envelope.json`: everything that is hashed, signed, sealed or proven.
@Suite struct EnvelopeVectorTests {
    private let world = World()
    private let file = VectorFile<EnvelopeVectors>(name: "envelope.json")

    @Test func reproducesTheFile() throws {
        let computed = try EnvelopeVectors(world)
        let stored = try file.read(writing: computed)
        #expect(stored.conversation == computed.conversation)
        #expect(stored.devices == computed.devices)
        #expect(stored.guest == computed.guest)
        #expect(stored.sessions == computed.sessions)
        #expect(stored.blob == computed.blob)
        #expect(stored.batch == computed.batch)
        #expect(stored.membership == computed.membership)
        #expect(stored.signatures == computed.signatures)
        for (left, right) in zip(stored.envelopes, computed.envelopes) { #expect(left == right) }
        #expect(stored.envelopes.count == computed.envelopes.count)
    }

    /// The items, put through the encoder one by one, are the bytes that the typed values give.
    @Test func itemsAndBytesAgree() throws {
        let stored = try EnvelopeVectors(world)
        for envelope in stored.envelopes {
            let header = try envelope.headerItems.encoded()
            #expect(Hexadecimal.text(header) == envelope.header, "\(envelope.name)")
            #expect(
                Hexadecimal.text(try envelope.bodyItems.encoded()) == envelope.body,
                "\(envelope.name)"
            )
            let sealed = try Item(bytes: envelope.sealed).encoded()
            let proof = try envelope.proofItems.encoded()
            #expect(Hexadecimal.text(header + sealed + proof) == envelope.envelope)
        }
    }

    @Test func envelopesAreReadAndProven() throws {
        let stored = try EnvelopeVectors(world)
        for vector in stored.envelopes {
            let envelope = try Envelope(decoding: Slice(try bytes(vector.envelope)))
            let crypto = world.crypto(vector.author)
            let digest = envelope.digest(in: world.conversation, using: crypto)
            #expect(digest.hex == vector.digest)
            let key = world.devices[vector.author].publicKey
            #expect(envelope.proof.holds(for: digest, by: key, using: crypto), "\(vector.name)")
            let body = try MessageBody(decoding: Slice(try bytes(vector.body)))
            #expect(body.encoded() == (try bytes(vector.body)))
        }
    }

    @Test func aGuestIsIntroducedAndProven() throws {
        let record = try world.guestRecord()
        let crypto = world.crypto(1)
        let reader = ConversationRecord(
            number: 1,
            id: world.conversation,
            name: "chess",
            isOpen: false,
            capability: world.capability,
            certificate: nil
        )
        let conversation = ParleyCore.Conversation(
            recovered: RecoveredConversation(record: reader),
            device: world.devices[1].id,
            epoch: world.epochs[1],
            limits: Limits(),
            using: crypto
        )
        let guest = try EnvelopeVectors(world).guest
        let introduced = try #require(
            try conversation.introduced(record, using: crypto)
        )
        #expect(introduced.id.hex == guest.origin)
        #expect(introduced.state.device == world.devices[0].id)
        #expect(introduced.state.author.device.hex == guest.id)
        #expect(UUIDText.text(introduced.state.author.participant.value) == guest.participant)
        let raw = RawFrame(
            type: FrameType.origin.rawValue,
            body: Slice(try bytes(guest.frame))
        )
        #expect(
            try Frame(decoding: raw) == .origin(OriginFrame(conversation: 0, record: record))
        )
    }

    @Test func theTreeHasTheSignedRoot() throws {
        let batch = try EnvelopeVectors(world).batch
        let root = try #require(batch.levels.last?.first)
        #expect(batch.signed == Hexadecimal.text(Array("parley batch 2".utf8)) + root)
        #expect(batch.levels.map(\.count) == [4, 2, 1])
    }

    @Test func signaturesAreJudgedWithoutTheCofactor() throws {
        for vector in try EnvelopeVectors(world).signatures {
            let signature = Signature(reading: Slice(try bytes(vector.signature)), at: 0)
            let message = try bytes(vector.message)
            let key = try #require(Bytes32(hex: vector.publicKey))
            let isValid = world.crypto(0).verify(signature, of: message.span.bytes, by: key)
            #expect(isValid == vector.isValid)
        }
    }
}
