import ParleyCore
import ParleyFaults

extension Link {
    /// A link of the number, to the device with that seed; outgoing if `dial` is given.
    init(
        _ number: UInt64,
        to device: UInt64 = 2,
        dial: DialID? = nil,
        at now: Moment = .start
    ) {
        let crypto = SimulatedCryptography(seed: device)
        self.init(
            OpenedLink(
                id: LinkID(number),
                dial: dial,
                peerKey: crypto.devicePublicKey,
                exporter: Bytes32(5, 6, 7, 8),
                address: "sample"
            ),
            device: DeviceID(seed: device),
            outboxCapacity: 1 << 20,
            at: now
        )
    }

    /// The same after the hello of a process, and a member's if conversations are shared.
    func greeted(
        nonce: UInt64 = 1,
        name: String = "",
        sharing conversations: [Conversation] = []
    ) -> Link {
        var link = self
        link.hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "sample 1",
            deviceName: name,
            processNonce: nonce
        )
        link.phase = .proving(deadline: .start + LinkPhase.patience)
        for conversation in conversations { link.share(conversation, (own: 0, peer: 0)) }
        return link
    }

    /// The same, waiting for an answer for so long that it is suspect at `now`.
    func suspected(at now: Moment) -> Link {
        var link = self
        link.liveness.heard(at: now)
        link.liveness.expectsAnswer(at: now)
        _ = link.liveness.check(at: now + Liveness.suspicion)
        return link
    }

    func closing() -> Link {
        var link = self
        link.phase = .closing
        return link
    }
}

extension LinkTable {
    /// The links of the device of the sample conversation, which keeps four names.
    init(_ links: [Link], names: [DeviceID: String] = [:]) {
        self.init(
            own: LinkList.Process(device: SampleConversation.device, nonce: 1),
            names: DeviceNames(recovered: names, countMax: 4)
        )
        for link in links { _ = all.insert(link) }
    }
}

extension DeviceID {
    /// The device with the key of this seed.
    init(seed: UInt64) {
        let crypto = SimulatedCryptography(seed: seed)
        self.init(publicKey: crypto.devicePublicKey, using: crypto)
    }
}

extension SampleConversation {
    /// A conversation of another number, with other keys.
    static func other(_ number: UInt32) -> Conversation {
        let table = SimulatedConversation(UInt64(number))
        return Conversation(
            recovered: RecoveredConversation(
                record: table.record(number: number, role: .writer, device: device)
            ),
            device: device,
            epoch: epoch,
            limits: Limits(),
            using: node
        )
    }
}
