import ParleyCore
import ParleyFaults
import Testing

/// Frames and dots in words, without a world.
@Suite struct WorldWordsTests {
    private let author = SimulatedAuthor(
        crypto: SimulatedCryptography(seed: 9),
        table: SimulatedConversation(1)
    )

    @Test func framesNameSessionsAndAuthors() {
        let words = WorldWords(nodes: [], sessions: [author.tag("s1"): "chess"])
        let header = author.header("s1", 5, revision: 2)
        let envelope = author.envelope(header, session: "s1", text: "x")
        #expect(
            words.words(author.frame(envelope, position: 7, hops: 1))
                == "envelope ?5 of chess, revision 2, position 7, 1 hops"
        )
        #expect(words.words(.ping(1)) == nil, "every link has them")
        #expect(words.words([author.dot(1), author.dot(2)]) == "?1 and ?2")
        #expect(WorldWords(nodes: [], sessions: [:]).word(header.tag).hasPrefix("session "))
    }

    @Test func aDotHasTheNameOfItsAuthor() {
        let node = SimulatedNode(name: "a", key: 1)
        node.disk = author.disk(sessions: 1, ofNode: node.device)
        _ = node.start(limits: Limits(), random: SeededRandom(seed: 1), at: .start)
        let other = SimulatedNode(name: "b", key: 9)
        let words = WorldWords(nodes: [node, other], sessions: [:])
        #expect(words.word(author.dot(3)) == "b'3", "of another epoch")
        let own = node.machine?.conversations.first?.keys.ownOrigin
        #expect(own.map { words.word(Dot(origin: $0, sequence: 4)) } == "a4")
    }
}
