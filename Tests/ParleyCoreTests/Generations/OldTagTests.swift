import ParleyCore
import ParleyFaults
import Synchronization
import Testing

/// Peers that prove keys of before get the news, and little else.
@Suite struct OldTagTests {
    /// Counts how often tags are computed.
    private final class Counting: Cryptography {
        private let crypto = SimulatedCryptography(seed: 1)
        private let counter = Atomic(0)

        var hmacs: Int { counter.load(ordering: .relaxed) }

        var devicePublicKey: Bytes32 { crypto.devicePublicKey }

        func sha256(_ bytes: RawSpan, then rest: RawSpan) -> Bytes32 {
            crypto.sha256(bytes, then: rest)
        }

        func hmac(_ bytes: RawSpan, key: Bytes32) -> Bytes32 {
            counter.add(1, ordering: .relaxed)
            return crypto.hmac(bytes, key: key)
        }

        func deriveKey(from key: Bytes32, info: RawSpan) -> Bytes32 {
            crypto.deriveKey(from: key, info: info)
        }

        func deriveDeviceKey(info: RawSpan) -> Bytes32 { crypto.deriveDeviceKey(info: info) }

        func sign(_ bytes: RawSpan) -> Signature { crypto.sign(bytes) }

        func publicKey(ofSeed seed: Bytes32) -> Bytes32 { crypto.publicKey(ofSeed: seed) }

        func sign(_ bytes: RawSpan, bySeed seed: Bytes32) -> Signature {
            crypto.sign(bytes, bySeed: seed)
        }

        func agreementKey(of secret: Bytes32) -> Bytes32 { crypto.agreementKey(of: secret) }

        func agree(_ secret: Bytes32, with key: Bytes32) -> Bytes32? {
            crypto.agree(secret, with: key)
        }

        var group: any PrimeGroup { crypto.group }

        func agreementKey(ofDevice key: Bytes32) -> Bytes32? { crypto.agreementKey(ofDevice: key) }

        func agreeAsDevice(with key: Bytes32) -> Bytes32? { crypto.agreeAsDevice(with: key) }

        func verify(_ signature: Signature, of bytes: RawSpan, by publicKey: Bytes32) -> Bool {
            crypto.verify(signature, of: bytes, by: publicKey)
        }

        func seal(
            _ plaintext: RawSpan,
            key: Bytes32,
            nonce: SealNonce,
            authenticating header: RawSpan
        ) -> [UInt8] {
            crypto.seal(plaintext, key: key, nonce: nonce, authenticating: header)
        }

        func open(_ sealed: RawSpan, key: Bytes32, authenticating header: RawSpan) -> [UInt8]? {
            crypto.open(sealed, key: key, authenticating: header)
        }
    }

    /// A node with conversations of which it has changed the keys, and a peer with the keys of
    /// before.
    private static func puppet(_ conversations: UInt64, _ crypto: any Cryptography) -> Puppet {
        let creator = SimulatedCryptography(seed: 1).devicePublicKey
        let tables = (1...conversations).map { SimulatedConversation($0, creator: creator) }
        var puppet = Puppet(table: tables[0], crypto: crypto)
        for number in 1...UInt32(conversations) {
            let table = tables[Int(number) - 1]
            if number > 1 {
                let record = table.record(
                    number: number,
                    role: .writer,
                    device: puppet.nodeDevice
                )
                puppet.handle(.joined(record))
            }
            let request = RotationRequest(
                request: RequestID(UInt64(number)),
                conversation: number,
                without: []
            )
            puppet.handle(.rotated(request))
        }
        puppet.open()
        puppet.send(puppet.hello)
        return puppet
    }

    private static func bytes(_ frames: [Frame]) -> Int {
        frames.reduce(0) { count, frame in
            var bytes: [UInt8] = []
            frame.append(to: &bytes)
            return count + bytes.count
        }
    }

    /// Hostile case 18: an old tag, then silence, or frames that say nothing.
    @Test(arguments: [false, true]) func anOldTagKeepsNoPlace(chatters: Bool) {
        var puppet = Self.puppet(1, SimulatedCryptography(seed: 1))
        puppet.send(puppet.tags())
        #expect(puppet.machine.links.indices.allSatisfy { !puppet.machine.links[$0].isMember })
        let told = puppet.frames.compactMap { frame in
            if case .members(let members) = frame { members } else { nil }
        }
        #expect(told.map(\.conversation) == [MembersFrame.noNumber])
        let types: Set<FrameType> = [.hello, .conversations, .members]
        #expect(puppet.frames.allSatisfy { types.contains($0.type) }, "no byte more")
        #expect(Self.bytes(puppet.frames) < 2_048)

        let before = Self.bytes(puppet.frames)
        for second in 1...4 as ClosedRange<UInt64> {
            puppet.pass(.milliseconds(1_200))
            guard chatters, puppet.closes.isEmpty else { continue }
            puppet.send(.ping(second))
            puppet.send(.members(MembersFrame(conversation: 0, sum: second)))
            puppet.send(.stored(Stored(conversation: 0, position: second)))
        }
        puppet.pass(.milliseconds(300))
        #expect(puppet.closes.count == 1, "the time of a stranger")
        #expect(Self.bytes(puppet.frames) - before < 256)
    }

    /// Regression: whoever knew the ID of a conversation was sent the records by inventing one.
    @Test func aStrangerWithAnInventedRecordHearsNothing() {
        var puppet = Self.puppet(1, SimulatedCryptography(seed: 1))
        puppet.send(puppet.tags(for: SimulatedConversation(8)))
        let forge = GenerationForge(puppet.peer, puppet.table)
        let nowhere = (
            id: GenerationID(Bytes32(1, 2, 3, 4)), seed: Bytes32(1, 1, 1, 1), number: UInt32(7)
        )
        let made = forge.record(behind: nowhere, seed: Bytes32(2, 2, 2, 2), stays: [forge.device])
        let records = [MemberEntry.generation(made.record, made.boxes)]
        let frame = MembersFrame(conversation: MembersFrame.noNumber, records: records)
        puppet.send(.members(frame))
        #expect(puppet.count(.members) == 0)
        puppet.send(.stored(Stored(conversation: 0, position: 1)))
        #expect(puppet.closes.count == 1)
    }

    /// Hostile case 19: as many tags as a link may have, the old one last.
    ///
    /// Regression: the tags of all conversations were computed for each frame of a stranger.
    @Test func manyOldTagsAreLittleWork() {
        let (conversations, crypto) = (UInt64(20), Counting())
        var puppet = Self.puppet(conversations, crypto)
        let before = crypto.hmacs
        var bytes: [UInt8] = []
        let groups = Limits.conversationTags / Limits.conversationGroup
        for group in 1..<groups {
            let tags = (0..<Limits.conversationGroup).map {
                Bytes16(UInt64(group), UInt64($0) + 100)
            }
            Frame.conversations(ConversationTags(tags: tags)).append(to: &bytes)
        }
        puppet.tags().append(to: &bytes)
        puppet.send(bytes: bytes)
        #expect(puppet.turns >= groups * (1 + Int(conversations)) / Work.perTurn / 2)
        #expect(puppet.count(.members) == 1, "the last tag was an old one")

        for _ in 0..<100 { puppet.send(.stored(Stored(conversation: 0, position: 1))) }
        #expect(crypto.hmacs - before < 200)
        #expect(puppet.closes.isEmpty)
    }
}
