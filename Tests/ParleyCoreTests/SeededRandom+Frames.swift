import ParleyCore
import ParleyFaults

/// Random legal frames.
extension SeededRandom {
    mutating func frame(_ type: FrameType) -> Frame {
        switch type {
        case .hello: .hello(hello())
        case .goodbye: .goodbye(goodbye())
        case .conversations: .conversations(conversationTags())
        case .envelope: .envelope(envelopeFrame())
        case .stored: .stored(stored())
        case .feed: .feed(feedRequest())
        case .have: .have(HaveList(conversation: number32(), entries: haveEntries()))
        case .want: .want(WantList(conversation: number32(), entries: wantEntries()))
        case .blobWant: .blobWant(blobWant())
        case .blobChunk: .blobChunk(blobChunk())
        case .audit: .audit(audit())
        case .credit: .credit(Credit(envelopeBytes: number(), blobBytes: number(), names: number()))
        case .ping: .ping(number())
        case .pong: .pong(number())
        case .peers: .peers(peerAddresses())
        case .pairing: .pairing(pairing())
        case .origin: .origin(origin())
        case .spare: .spare(chance(1, in: 2))
        case .signal: .signal(signal())
        case .members: .members(members())
        case .receipts: .receipts(receipts())
        case .knock: .knock(knock())
        }
    }

    private mutating func hello() -> Hello {
        let lowest = number() / 2
        return Hello(
            wireVersions: lowest...lowest + number() / 2,
            software: text(Limits.softwareBytes),
            deviceName: text(Limits.deviceNameBytes),
            processNonce: next(),
            features: number()
        )
    }

    private mutating func goodbye() -> Goodbye {
        let reasons = GoodbyeReason.allCases
        return Goodbye(
            reason: reasons[Int.random(in: 0..<reasons.count, using: &self)],
            text: text(Limits.goodbyeBytes)
        )
    }

    private mutating func conversationTags() -> ConversationTags {
        let groups = length(1...Limits.conversationTags / Limits.conversationGroup)
        return ConversationTags(
            tags: (0..<groups * Limits.conversationGroup).map { _ in bytes16() }
        )
    }

    private mutating func envelopeFrame() -> EnvelopeFrame {
        EnvelopeFrame(
            conversation: number32(),
            hops: UInt8.random(in: 0...255, using: &self),
            position: number() >> 1 | 1,
            isAwaited: Bool.random(using: &self),
            envelope: envelope()
        )
    }

    private mutating func stored() -> Stored {
        Stored(conversation: number32(), position: number(), isFull: chance(1, in: 2))
    }

    private mutating func feedRequest() -> FeedRequest {
        FeedRequest(
            conversation: number32(),
            since: FeedCursor(incarnation: next(), position: number()),
            ownIncarnation: next(),
            ownPosition: number()
        )
    }

    private mutating func haveEntries() -> [HaveEntry] {
        (0..<length(1...Limits.haveEntries)).map { _ in
            if chance(1, in: 8) {
                var watermark = HaveEntry.watermark(position: number() >> 1 | 1)
                // A receiver takes one that requests nothing, although nobody sends it.
                watermark.isAwaited = Bool.random(using: &self)
                return watermark
            }
            let entry = wantEntry()
            return chance(1, in: 8) ? .notFound(entry.name) : entry
        }
    }

    private mutating func wantEntries() -> [HaveEntry] {
        (0..<length(1...Limits.haveEntries)).map { _ in wantEntry() }
    }

    private mutating func wantEntry() -> HaveEntry {
        HaveEntry(
            position: number() >> 1 | 1,
            isAwaited: Bool.random(using: &self),
            tag: SessionTag(bytes16()),
            dot: dot(),
            revision: sequence(),
            digestPrefix: next()
        )
    }

    private mutating func blobWant() -> BlobWant {
        var chunks = (0..<UInt64(Limits.chunksPerBlob)).map { $0 }
        chunks.removeAll { $0 > 0 && next().isMultiple(of: 3) }
        return BlobWant(conversation: number32(), blob: BlobID(bytes32()), chunks: chunks)
    }

    private mutating func blobChunk() -> BlobChunk {
        BlobChunk(
            conversation: number32(),
            blob: BlobID(bytes32()),
            index: UInt64.random(in: 0..<UInt64(Limits.chunksPerBlob), using: &self),
            bytes: slice(0...Limits.blobChunkBytes)
        )
    }

    private mutating func audit() -> Audit {
        Audit(
            conversation: number32(),
            ownPosition: number(),
            peerPosition: number(),
            sums: (0..<Audit.buckets).map { _ in next() }
        )
    }

    private mutating func peerAddresses() -> PeerAddresses {
        let peers = (0..<length(1...Limits.peerAddresses)).map { _ in
            PeerAddress(device: DeviceID(bytes32()), address: text(Limits.addressBytes))
        }
        return PeerAddresses(conversation: number32(), peers: peers)
    }

    private mutating func pairing() -> PairingFrame {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: .commit(bytes32(), [.nothing, .invite, .own][Int.random(in: 0..<3, using: &self)])
        case 1: .reveal(bytes32())
        case 2: .confirm
        case 3: .invite(slice(1...Limits.pairingBytes))
        case 4: .person(Slice(bytes(Int.random(in: Limits.personSecretBytes, using: &self))))
        case 5: .share(slice(1...Limits.pairingBytes))
        case 6: .taken(ConversationID(bytes32()))
        default: .cancel(PairingCancellation.allCases.randomElement(using: &self) ?? .other)
        }
    }

    private mutating func origin() -> OriginFrame {
        OriginFrame(
            conversation: number32(),
            record: OriginRecord(
                deviceKey: bytes32(),
                epoch: Epoch(next()),
                certificate: signature(),
                host: chance(1, in: 2) ? host() : nil
            )
        )
    }

    private mutating func signal() -> SignalFrame {
        var dot = dot()
        if dot.sequence == 0 { dot = Dot(origin: dot.origin, sequence: 1) }
        return SignalFrame(
            conversation: number32(),
            dot: dot,
            hops: UInt8.random(in: 0...255, using: &self),
            sealed: slice(0...Limits.signalBytes),
            signature: signature()
        )
    }

    private mutating func receipts() -> ReceiptsFrame {
        ReceiptsFrame(
            conversation: number32(),
            origin: OriginID(bytes16()),
            receipts: (0..<length(1...Limits.receipts)).map { _ in
                Receipt(
                    device: next(),
                    counter: next(),
                    sealed: Slice(
                        (bytes16().bytes + bytes16().bytes + bytes16().bytes + bytes16().bytes)
                    )
                )
            }
        )
    }

    private mutating func members() -> MembersFrame {
        var frame = MembersFrame(conversation: number32())
        if chance(1, in: 2) { frame.sum = number() }
        for _ in 0..<Int.random(in: 0...5, using: &self) {
            let admission = Admission(
                inviterKey: bytes32(),
                device: DeviceID(bytes32()),
                role: Capability.Role.allCases.randomElement(using: &self) ?? .relay,
                number: max(1, number32()),
                signature: signature()
            )
            frame.records.append(.admission(admission))
        }
        frame.records += memberEntries()
        if chance(1, in: 2) {
            frame.role = RoleProof(
                role: .reader,
                generation: chance(1, in: 2) ? max(1, number()) : nil,
                proof: Slice(bytes(32))
            )
        }
        frame.asksForAdmission = chance(1, in: 2)
        return frame
    }

    /// A birth, the record of a generation with boxes, a card and a vouch, all without signatures.
    private mutating func memberEntries() -> [MemberEntry] {
        let conversation = ConversationID(bytes32())
        let statement = GenerationRecord.Statement(
            conversation: conversation,
            parent: GenerationID(bytes32()),
            number: number32(),
            publicWriteKey: bytes32(),
            author: bytes32(),
            path: [],
            stays: (0..<3).map { Bytes16($0, number()) },
            earlier: Slice(bytes(Limits.earlierBytes)),
            check: Bytes16(number(), number()),
            boxes: bytes32()
        )
        let record = GenerationRecord(
            statement: statement,
            writeSignature: signature(),
            deviceSignature: signature()
        )
        let boxes = bytes32().bytes + (0..<3).flatMap { _ in [2] + bytes(48) }
        let vouch =
            conversation.bytes + bytes32().bytes + bytes32().bytes
            + Bytes16(number(), number()).bytes + Bytes16(1, number()).bytes
            + signature().bytes + signature().bytes
        return [
            .birth(Birth(publicWriteKey: bytes32(), creator: bytes32())),
            .generation(record, KeyBoxes(packed: Slice(boxes))),
            .card(card()),
        ] + (Vouch(packed: Slice(vouch)).map { [.vouch($0)] } ?? [])
    }

    private mutating func card() -> Card {
        let isWriter = chance(1, in: 2)
        var card = Card(
            key: bytes32(),
            role: isWriter ? .writer : .reader,
            isLeaving: chance(1, in: 2),
            generation: chance(1, in: 2) ? nil : number() | 1,
            number: number(),
            proof: Slice(bytes(isWriter ? 64 : 32)),
            sealedText: slice(0...Card.sealedBytesMax)
        )
        card.signature = signature()
        card.age = number32()
        return card
    }

    private mutating func knock() -> KnockFrame {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: .knock(invite: number32(), proof: bytes32())
        case 1: .letIn(invite: number32(), slice(1...Limits.pairingBytes))
        default:
            .refused(
                invite: number32(),
                KnockRefusal.allCases.randomElement(using: &self) ?? .unknown
            )
        }
    }

    private mutating func host() -> OriginHost? {
        SeatNumber(UInt8.random(in: SeatNumber.all, using: &self)).map { seat in
            OriginHost(deviceKey: bytes32(), certificate: signature(), seat: seat)
        }
    }
}
