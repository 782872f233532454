import ParleyCore
import Testing

/// A frame of a member belongs to a replication and to a conversation.
@Suite struct LinkTableFramesTests {
    private let conversations = SampleTable([1, 2]).table

    /// A link whose peer announced the conversations 1, 2, one that this node left, and one that it
    /// never had, and sent its feed of the conversation 1.
    private func table() throws -> LinkTable {
        var link = Link(4).greeted()
        let tags = (0..<4).map { Bytes16(UInt64($0), 0) }
        try link.membership.received(tags)
        link.share(conversations[0], (own: 5, peer: 0))
        link.share(conversations[1], (own: 6, peer: 1))
        link.share(SampleConversation.other(3), (own: 7, peer: 2))
        let request = FeedRequest(
            conversation: 0,
            since: .beginning,
            ownIncarnation: 7,
            ownPosition: 0
        )
        try link.replications[0].feedRequested(request, of: conversations[0], at: .start)
        return LinkTable([Link(1), link])
    }

    @Test(arguments: [
        Case(0, .have, .found(replication: 0)),
        Case(0, .feed, .found(replication: 0)),
        Case(1, .feed, .found(replication: 1)),
        Case(1, .have, .refused(.unexpected(FrameType.have.rawValue))),
        Case(1, .blobChunk, .refused(.unexpected(FrameType.blobChunk.rawValue))),
        Case(2, .feed, .ignored),
        Case(2, .have, .ignored),
        Case(3, .have, .ignored),
        Case(4, .have, .refused(.overLimit("a conversation number that was never announced"))),
    ])
    func aFrameIsAboutWhatItsNumberMeans(_ example: Case) throws {
        let table = try table()
        var answer = Answer.ignored
        do throws(ParleyCore.Refusal) {
            let found = try table.all.shared(example.number, example.type, on: 1, conversations)
            if let found {
                answer = .found(replication: found.replication.replication)
                #expect(found.replication.link == 1)
                let number = table[found.replication].conversation
                #expect(conversations[found.conversation].number == number)
            }
        } catch {
            answer = .refused(error)
        }
        #expect(answer == example.answer)
    }

    enum Answer: Sendable, Equatable {
        case found(replication: Int)
        case ignored
        case refused(ParleyCore.Refusal)
    }

    /// A frame with the peer's number of a conversation, and the answer to it.
    struct Case: Sendable {
        let number: UInt32
        let type: FrameType
        let answer: Answer

        init(_ number: UInt32, _ type: FrameType, _ answer: Answer) {
            self.number = number
            self.type = type
            self.answer = answer
        }
    }
}
