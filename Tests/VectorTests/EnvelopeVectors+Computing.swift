import ParleyCore
import ParleyKeys
import Testing

extension EnvelopeVectors {
    /// The vectors as this program computes them.
    init(_ world: World) throws {
        conversation = Conversation(world)
        devices = try world.devices.indices.map { try Device(world, $0) }
        guest = try Guest(world)
        sessions = world.sessions.map { session in
            Session(
                uuid: UUIDText.text(session.value),
                bytes: session.hex,
                tag: world.tag(session).hex
            )
        }
        let drafts = SampleMessage.all(world).map { EnvelopeDraft($0, world) }
        let signed = { (draft: EnvelopeDraft) in
            let signature = world.crypto(draft.author).sign(draft.digest.bytes.span.bytes)
            return Envelope(draft, .single(signature), world)
        }
        let batch = BatchedDrafts(Array(drafts[2..<5]), world)
        envelopes = drafts[..<2].map(signed) + batch.envelopes(world) + drafts[5...].map(signed)
        self.batch = batch.vector(first: 2)
        blob = Blob(SampleMessage.picture(world), world)
        membership = [0, 1].map { Membership(world, role: $0) }
        signatures = Signed.all
    }
}

extension EnvelopeVectors.Conversation {
    fileprivate init(_ world: World) {
        writerSeed = world.capability.writerSeed?.hex ?? ""
        publicWriteKey = world.capability.publicWriteKey.hex
        readKey = world.capability.readKey?.hex ?? ""
        relayKey = world.capability.relayKey.hex
        id = world.conversation.hex
        tagKey = world.derived("parley tag").hex
    }
}

extension EnvelopeVectors.Device {
    fileprivate init(_ world: World, _ index: Int) throws {
        let key = world.devices[index]
        let origin = world.origin(index)
        privateKey = Hexadecimal.text(key.rawPrivateKey)
        publicKey = key.publicKey.hex
        id = key.id.hex
        certificate = Hexadecimal.text(try world.capability.certify(key.id).bytes)
        var number: [UInt8] = []
        number.appendBigEndian(world.epochs[index].value)
        epoch = Hexadecimal.text(number)
        originInput = Hexadecimal.text(world.conversation.bytes + key.id.bytes + number)
        self.origin = origin.hex
        let named = Array("parley participant".utf8) + world.conversation.bytes + key.id.bytes
        participantHash = world.crypto(index).sha256(named).hex
        participant = UUIDText.text(world.participant(index).value)
        bodyKey = world.derived("parley body", origin.bytes).hex
        blobKey = world.derived("parley blob", origin.bytes).hex
    }
}

extension EnvelopeVectors.Guest {
    fileprivate init(_ world: World) throws {
        let (key, record) = (world.guest, try world.guestRecord())
        let seat = try #require(record.host?.seat)
        host = 0
        self.seat = seat.value
        privateKey = Hexadecimal.text(key.rawPrivateKey)
        publicKey = key.publicKey.hex
        let device = try world.guestID()
        id = device.hex
        signed = Hexadecimal.text(
            Array("parley guest 1".utf8) + world.conversation.bytes + device.bytes + [seat.value]
        )
        certificate = Hexadecimal.text(record.certificate.bytes)
        var input = world.conversation.bytes + device.bytes
        input.appendBigEndian(record.epoch.value)
        originInput = Hexadecimal.text(input)
        origin =
            OriginID(
                conversation: world.conversation,
                device: device,
                epoch: record.epoch,
                using: world.crypto(0)
            ).hex
        participant = UUIDText.text(
            ParticipantID(
                conversation: world.conversation,
                device: device,
                using: world.crypto(0)
            ).value
        )
        frameItems = try #require(try SampleFrame.guest(world).body)
        frame = Hexadecimal.text(try frameItems.encoded())
    }
}

extension EnvelopeVectors.Blob {
    fileprivate init(_ picture: SampleMessage.SealedPicture, _ world: World) {
        author = picture.author
        content = Hexadecimal.text(picture.content)
        contentHash = world.crypto(0).sha256(picture.content).hex
        nonce = Hexadecimal.text(picture.nonce.bytes)
        associatedData = world.conversation.hex
        sealed = Hexadecimal.text(picture.sealed)
        id = picture.id.hex
    }
}

extension EnvelopeVectors.Membership {
    fileprivate init(_ world: World, role: UInt8) {
        exporter = world.exporter.hex
        self.role = role
        message = Hexadecimal.text(world.exporter.bytes + [role] + world.conversation.bytes)
        tag = world.membershipTag(role: role).hex
    }
}

extension EnvelopeVectors.Signed {
    fileprivate static let all = [
        EnvelopeVectors.Signed(
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "636f666163746f72",
            signature: "d63c01223147541df4e170763e9e2788a8bf5971f52a93c5829dbe6f5ff6bba9"
                + "f44f332c145f40252d9ebb415960afe3b98d610dc4fd11fbddad99e184e2e307",
            isValid: false
        ),
        EnvelopeVectors.Signed(
            publicKey: "9158312a9a8d6e3b34c891d6d61444f8b8211c5117ebad15bdb0bd68b07e0245",
            message: "636f666163746f72",
            signature: "d4b4f5784868c3020403246717ec169ff79e26608ea126a1ab69ee77d1b16712"
                + "786c76f3442b920fdcc9e8d13f3468bdf24768e188369256811d6879cb256005",
            isValid: true
        ),
        ofOrderOne("0100000000000000000000000000000000000000000000000000000000000000"),
        ofOrderOne("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    ]

    /// A signature that satisfies the equation for every message, by a key of order 1.
    private static func ofOrderOne(_ publicKey: String) -> Self {
        Self(
            publicKey: publicKey,
            message: "01",
            signature: "5866666666666666666666666666666666666666666666666666666666666666"
                + "0100000000000000000000000000000000000000000000000000000000000000",
            isValid: false
        )
    }
}
