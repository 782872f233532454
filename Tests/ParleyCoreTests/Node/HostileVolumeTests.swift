import ParleyCore
import ParleyFaults
import Testing

/// A member that sends more than it may, bit by legal bit.
@Suite struct HostileVolumeTests {
    private let table = SimulatedConversation(1)
    private var author: SimulatedAuthor {
        SimulatedAuthor(crypto: SimulatedCryptography(seed: 2), table: table)
    }

    /// The credit is counted in bytes since the link began.
    @Test func envelopesBeyondTheCredit() {
        var puppet = Puppet()
        puppet.commits = false
        puppet.meetAndSync()
        puppet.send(author.originFrame)
        for number in UInt64(1)...5_000 where puppet.closes.isEmpty {
            let text = String(repeating: "x", count: 4_000)
            let header = author.header("s\(number)", number)
            let envelope = author.envelope(header, session: "s\(number)", text: text)
            puppet.send(author.frame(envelope, position: number))
        }
        #expect(puppet.refusals == [.overLimit("envelopes beyond the credit")])
        #expect(puppet.machine.load.commitBytes < 40 << 20)
    }

    @Test func blobBytesBeyondTheCredit() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let bytes = Slice([UInt8](repeating: 1, count: Limits.blobChunkBytes))
        for index in UInt64(0)..<64 where puppet.closes.isEmpty {
            let chunk = BlobChunk(
                conversation: 0,
                blob: BlobID(Bytes32(1, 1, 1, 1)),
                index: index,
                bytes: bytes
            )
            puppet.send(.blobChunk(chunk))
        }
        // Credit is renewed as the bytes are taken; none of them is kept.
        #expect(puppet.disk.blobs.isEmpty)
    }

    @Test func announcementsBeyondTheCredit() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let window = Limits().namesPerLink
        puppet.send(invented(window, by: 1))
        #expect(puppet.closes.isEmpty)
        puppet.send(invented(1, by: 2))
        #expect(puppet.refusals == [.overLimit("announcements beyond the credit")])
        puppet.pass(.seconds(3))
        #expect(puppet.machine.links.isEmpty)
    }

    /// Nine relays announce as much as they may; an honest peer is asked at once.
    @Test func relaysThatAnnounceWhatDoesNotExistHinderNobody() {
        var puppet = Puppet()
        puppet.meetAndSync()
        let window = Limits().namesPerLink
        for relay in UInt64(2)...10 {
            puppet.meet(SimulatedCryptography(seed: 100 + relay), on: LinkID(relay))
            puppet.begin(on: LinkID(relay))
            puppet.send(invented(window, by: relay), on: LinkID(relay))
        }
        #expect(puppet.machine.load.missing == window)
        #expect(puppet.machine.load.announcedBytes <= Limits().announcedBytes * 9 / 128)
        let envelopes = (1...UInt64(3)).map { number in
            let header = author.header("s\(number)", number)
            return author.envelope(header, session: "s\(number)", text: "real")
        }
        let entries = envelopes.enumerated().compactMap { number, envelope in
            author.entry(envelope, position: UInt64(number + 1))
        }
        puppet.send(author.originFrame)
        puppet.send(.have(HaveList(conversation: 0, entries: entries)))
        let wanted = puppet.frames.flatMap { frame in
            if case .want(let list) = frame { list.entries } else { [HaveEntry]() }
        }
        #expect(wanted == entries)
        for envelope in envelopes { puppet.send(author.frame(envelope)) }
        #expect(puppet.machine.conversation(1)?.sessionCount == 3)
        #expect(puppet.closes.isEmpty)
        #expect(puppet.refusals.isEmpty)
        let stored = puppet.frames.compactMap { frame in
            if case .stored(let stored) = frame { stored.position } else { nil }
        }
        #expect(stored.last == 3)
    }

    /// A relay announces envelopes that do not exist.
    private func invented(_ count: Int, by relay: UInt64) -> Frame {
        let entries = (1...UInt64(count)).map { number in
            HaveEntry(
                position: number,
                tag: SessionTag(Bytes16(relay, number)),
                dot: Dot(origin: OriginID(Bytes16(relay, number)), sequence: 1),
                revision: 1,
                digestPrefix: number
            )
        }
        return .have(HaveList(conversation: 0, entries: entries))
    }

    @Test func moreWantedThanWasAnnounced() throws {
        var puppet = Puppet()
        puppet.meet()
        puppet.sync(credit: 0)
        let body = MessageBody(session: SessionUUID(session: "s"), place: 0, sentAt: 0)
        puppet.handle(
            .authored([AuthorRequest(request: RequestID(1), conversation: 1, body: body)])
        )
        // Without credit, what is wanted waits; else the node would answer between its turns.
        let session = try #require(puppet.session)
        let head = try #require(session.register.heads.first)
        let entry = HaveEntry(
            position: 0,
            tag: session.tag,
            dot: head.dot,
            revision: head.revision,
            digestPrefix: head.digest.words.0
        )
        let list = WantList(conversation: 0, entries: Array(repeating: entry, count: 1_024))
        var bytes: [UInt8] = []
        for _ in 0..<40 { Frame.want(list).append(to: &bytes) }
        puppet.send(bytes: bytes)
        #expect(puppet.refusals == [.overLimit("more wanted than was told")])
    }

    /// A writer that lies about the size of another one's blob does not set honest nodes at odds.
    @Test func wrongBlobSizeEndsNoLink() {
        var puppet = Puppet()
        puppet.meetAndSync()
        puppet.send(author.originFrame)
        let blob = BlobID(Bytes32(1, 2, 3, 4))
        var header = author.header("s", 1)
        header.blobs = [BlobReference(id: blob, size: 10)]
        let type = PictureDescription(type: "image/png", hash: .zero, size: 1)
        let envelope = author.envelope(header, session: "s", text: "x", blobTypes: [type])
        puppet.send(author.frame(envelope, position: 1))
        let chunk = BlobChunk(conversation: 0, blob: blob, index: 0, bytes: Slice([1, 2, 3]))
        puppet.send(.blobChunk(chunk))
        #expect(puppet.closes.isEmpty)
        #expect(puppet.disk.blobs.isEmpty)
    }
}
