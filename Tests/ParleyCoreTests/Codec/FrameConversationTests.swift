import ParleyCore
import ParleyFaults
import Testing

/// Some frames are about a conversation, and name it.
struct FrameConversationTests {
    private static let position = FeedCursor.beginning
    private static let record = SimulatedAuthor(writer: 2).record
    private static let signal = SignalFrame(
        conversation: 7,
        dot: Dot(1, 1),
        sealed: .empty,
        signature: record.certificate
    )
    private static let blob = BlobReference(1).id

    @Test(
        arguments: [
            .envelope(EnvelopeFrame(conversation: 7, hops: 1, position: 1, envelope: .empty)),
            .origin(OriginFrame(conversation: 7, record: record)),
            .stored(Stored(conversation: 7, position: 1)),
            .feed(FeedRequest(conversation: 7, since: position, ownIncarnation: 1, ownPosition: 1)),
            .have(HaveList(conversation: 7, entries: [])),
            .want(WantList(conversation: 7, entries: [])),
            .blobWant(BlobWant(conversation: 7, blob: blob, chunks: [])),
            .blobChunk(BlobChunk(conversation: 7, blob: blob, index: 1, bytes: .empty)),
            .audit(Audit(conversation: 7, ownPosition: 1, peerPosition: 1, sums: [])),
            .peers(PeerAddresses(conversation: 7, peers: [])), .signal(signal),
            .members(MembersFrame(conversation: 7)),
        ] as [Frame]
    )
    func framesOfMembersNameTheirConversation(_ frame: Frame) {
        #expect(frame.conversation == 7)
    }

    @Test(
        arguments: [
            .goodbye(Goodbye(reason: .other)), .conversations(ConversationTags(tags: [])),
            .credit(Credit(envelopeBytes: 7, blobBytes: 7, names: 7)), .ping(7), .pong(7),
            .spare(true),
            .pairing(.confirm), .knock(.refused(invite: 7, .unknown)),
        ] as [Frame]
    )
    func framesOfLinksNameNone(_ frame: Frame) {
        #expect(frame.conversation == nil)
    }
}
