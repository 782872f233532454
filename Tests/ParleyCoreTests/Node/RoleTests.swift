import ParleyCore
import ParleyFaults
import Testing

/// The abilities of relays and readers, and their limits.
@Suite struct RoleTests {
    private let table = SimulatedConversation(1)

    /// A relay between two writers that do not reach each other.
    @Test func relayStoresAndForwardsAndOpensNothing() throws {
        let world = World(nodes: 3)
        world.cut(0, 2)
        world.join(table, [0, 2])
        world.join(table, [1], as: .relay)
        world.run(.milliseconds(500))
        world.send("s", "secret", by: 0, in: table)
        world.run(.milliseconds(50))
        #expect(world.text("s", in: table, at: 2) == "secret")
        #expect(world.text("s", in: table, at: 1) == nil)
        let shown = world.nodes[1].person.deliveries.count {
            if case .shown = $0 { true } else { false }
        }
        #expect(shown == 0)
        let view = try #require(world.view("s", in: table, at: 1))
        #expect(world.nodes[1].disk.rows[view.row]?.heads.count == 1)
        #expect(world.nodes[1].disk.rows[view.row]?.lines.isEmpty == true)
        let number = try #require(world.number(of: table, at: 1))
        let relay = try #require(world.nodes[1].machine)
        #expect(
            relay.conversation(number)?.tag(of: SessionUUID(session: "s"), using: relay.crypto)
                == nil
        )
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// A writer that comes later has from the relay what was written before.
    @Test func relayKeepsForWhoComesLater() {
        let world = World(nodes: 3)
        world.stop(2)
        world.join(table, [0])
        world.join(table, [1], as: .relay)
        world.run(.milliseconds(500))
        for number in 0..<10 { world.send("s\(number)", "kept", by: 0, in: table) }
        world.run(.milliseconds(500))
        world.stop(0)
        world.start(2)
        world.join(table, [2])
        world.run(.seconds(2))
        #expect(world.text("s9", in: table, at: 2) == "kept")
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    @Test(arguments: [Capability.Role.reader, .relay])
    func onlyWritersWrite(role: Capability.Role) {
        let world = World(nodes: 2)
        world.join(table, [0])
        world.join(table, [1], as: role)
        world.run(.milliseconds(500))
        let request = world.send("s", "mine", by: 1, in: table)
        #expect(world.answer(request) == .readOnly)
        world.run(.milliseconds(50))
        #expect(world.view("s", in: table, at: 0) == nil)
        world.expectSound()
    }

    @Test func readerReads() {
        let world = World(nodes: 2)
        world.join(table, [0])
        world.join(table, [1], as: .reader)
        world.run(.milliseconds(500))
        world.send("s", "for all", by: 0, in: table)
        world.run(.milliseconds(50))
        #expect(world.texts("s", in: table) == ["for all", "for all"])
        world.expectSound()
    }

    // MARK: Forgeries of somebody who may only read

    @Test func envelopeWithoutCertificateIsRefused() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let author = SimulatedAuthor(crypto: puppet.peer, table: table)
        let envelope = author.envelope(author.header("s", 1), session: "s", text: "forged")
        puppet.send(author.frame(envelope, position: 1))
        expectForged(puppet, .uncertified)
    }

    @Test func certificateOfAnotherKeyIsRefused() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let author = SimulatedAuthor(crypto: puppet.peer, table: table)
        let record = OriginRecord(
            deviceKey: puppet.peer.devicePublicKey,
            epoch: Epoch(1),
            certificate: puppet.peer.sign(author.device.certifiedBytes.span.bytes)
        )
        puppet.send(.origin(OriginFrame(conversation: 0, record: record)))
        expectForged(puppet, .badCertificate)
    }

    @Test func changedEnvelopeIsRefused() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let author = SimulatedAuthor(crypto: puppet.peer, table: table)
        puppet.send(author.originFrame)
        var bytes = author.envelope(author.header("s", 1), session: "s", text: "x").bytes
        bytes[bytes.count - 1] ^= 1
        puppet.send(author.frame(Slice(bytes), position: 1))
        expectForged(puppet, .badProof)
    }

    /// The digest is over the conversation, so an envelope is of no use in another one.
    @Test func envelopeOfAnotherConversationIsRefused() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let author = SimulatedAuthor(crypto: puppet.peer, table: table)
        puppet.send(author.originFrame)
        let other = SimulatedAuthor(crypto: puppet.peer, table: SimulatedConversation(2))
        var header = other.header("s", 1)
        header.dot = author.dot(1)
        puppet.send(author.frame(other.envelope(header, session: "s", text: "x"), position: 1))
        expectForged(puppet, .badProof)
    }

    /// Regression: an origin that two links had introduced was forgotten with the first of them,
    /// and the honest peer of the other was refused.
    @Test func originIsKnownAsLongAsALinkVouchesForIt() {
        var puppet = Puppet()
        puppet.meetAndSync()
        puppet.meet(SimulatedCryptography(seed: 7), on: LinkID(2))
        puppet.begin(on: LinkID(2))
        let author = SimulatedAuthor(crypto: SimulatedCryptography(seed: 7), table: table)
        puppet.send(author.originFrame)
        puppet.send(author.originFrame, on: LinkID(2))
        puppet.handle(.linkClosed(LinkID(1), "gone"))
        let envelope = author.envelope(author.header("s", 1), session: "s", text: "honest")
        puppet.send(author.frame(envelope, position: 1), on: LinkID(2))
        #expect(puppet.refusals.isEmpty)
        #expect(puppet.session?.heads.count == 1)
    }

    /// Origins without envelopes are not kept longer than the link that named them.
    @Test func unusedOriginsAreForgotten() {
        var puppet = Puppet()
        puppet.meetAndSync()
        var author = SimulatedAuthor(crypto: puppet.peer, table: table)
        for epoch in UInt64(0)..<5_000 where puppet.closes.isEmpty {
            author.epoch = Epoch(epoch)
            puppet.send(author.originFrame)
        }
        #expect(puppet.refusals == [.overLimit("origins without an envelope")])
        #expect(puppet.machine.conversations.first?.origins.values.count == 1, "our own")
    }

    private func expectForged(
        _ puppet: Puppet,
        _ refusal: ParleyCore.Refusal,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(puppet.refusals == [refusal], sourceLocation: location)
        #expect(puppet.goodbye == .forged, sourceLocation: location)
        #expect(puppet.closes.count == 1, sourceLocation: location)
        #expect(puppet.session == nil, "nothing is stored", sourceLocation: location)
        #expect(puppet.machine.links.isEmpty, sourceLocation: location)
        #expect(puppet.disk.rows.isEmpty, sourceLocation: location)
    }
}
