import ParleyCore
import ParleyFaults
import Testing

/// Members make cards of devices that do not exist, with the rights that they have themselves.
@Suite struct CardFloodTests {
    /// The card of a device that has the keys of a role.
    private static func card(
        _ device: SimulatedCryptography,
        as role: Capability.Role,
        in table: SimulatedConversation
    ) throws -> Card {
        let id = DeviceID(publicKey: device.devicePublicKey, using: device)
        var record = table.record(number: 1, role: role, device: id)
        record.creator = table.creator
        let conversation = Conversation(
            recovered: RecoveredConversation(record: record),
            device: id,
            epoch: Epoch(1),
            limits: Limits(),
            using: device
        )
        var random = SeededRandom(seed: id.hint)
        let card = conversation.keys.card(
            number: 1,
            text: CardText(name: "nobody", person: nil),
            isLeaving: false,
            random: &random,
            using: device
        )
        return try #require(card)
    }

    /// Hostile case 24: a relay, or Xan, invents as many devices as links may bring, with a card
    /// each, or with a link each.
    ///
    /// Real members are known nevertheless, and change the keys without the one who did this.
    ///
    /// Regression: so many devices would have stayed that nobody could change the keys.
    @Test(arguments: [Capability.Role.relay, .writer], [false, true])
    func inventedDevicesDoNotKeepKeysFromChanging(role: Capability.Role, hasLinks: Bool) throws {
        var room = ThrownOut()
        for one in [room.ada, room.cid, room.xan] { room.bring(room.author(one), "a", 1) }
        let readers = (50..<58).map { SimulatedCryptography(seed: $0) }
        room.bring(try readers.map { .card(try Self.card($0, as: .reader, in: room.table)) })
        for number in 0..<UInt64(1_100) {
            let invented = SimulatedCryptography(seed: 1_000 + number)
            let link = LinkID(hasLinks ? 100 + number : 100 + number / 64)
            if hasLinks || number.isMultiple(of: 64) {
                room.puppet.meet(invented, on: link)
                room.puppet.begin(on: link)
            }
            if hasLinks {
                let id = DeviceID(publicKey: invented.devicePublicKey, using: invented)
                let proof = role == .relay ? .empty : Slice(room.table.certificate(of: id).bytes)
                var frame = MembersFrame(conversation: 0)
                frame.role = RoleProof(role: role, generation: nil, proof: proof)
                room.puppet.send(.members(frame), on: link)
                room.puppet.handle(.linkClosed(link, "gone"))
            } else {
                room.bring([.card(try Self.card(invented, as: role, in: room.table))], on: link)
            }
        }
        let known = room.puppet.machine.members.known[1]?.count ?? 0
        #expect(known <= (hasLinks ? Limits.knownDevices : Limits.knownDevices / 2))
        #expect(known > 500, "there are many")

        let request = RotationRequest(
            request: RequestID(9),
            conversation: 1,
            without: [room.xan.device]
        )
        room.puppet.handle(.rotated(request))
        let current = try #require(room.state?.generations.current)
        let record = try #require(room.state?.generations.generations[current]?.record)
        #expect(record.statement.stays.count == Limits.stayingDevices)
        let crypto = room.ada.crypto
        for one in [room.ada, room.ben, room.cid] {
            #expect(record.lists(one.device.listing(in: room.table.id, using: crypto)))
        }
        #expect(!record.lists(room.xan.device.listing(in: room.table.id, using: crypto)))
        guard role == .relay else { return }
        for reader in readers {
            let device = DeviceID(publicKey: reader.devicePublicKey, using: reader)
            let listing = device.listing(in: room.table.id, as: .reader, using: crypto)
            #expect(record.lists(listing))
        }
    }
}
