import ParleyCore
import ParleyFaults
import Testing

/// The agreement of nodes that were started from disks, without a world.
@Suite struct AgreementTests {
    private let table = SimulatedConversation(1)

    private func node(_ name: String, key: UInt64, sessions: Int) -> SimulatedNode {
        let node = SimulatedNode(name: name, key: key)
        let author = SimulatedAuthor(crypto: SimulatedCryptography(seed: 9), table: table)
        node.disk = author.disk(sessions: sessions, ofNode: node.device)
        _ = node.start(limits: Limits(), random: SeededRandom(seed: key), at: .start)
        return node
    }

    @Test func membersWithEqualHeadsAgree() {
        let nodes = [node("a", key: 1, sessions: 3), node("b", key: 2, sessions: 3)]
        let agreement = Agreement(nodes, SimulatedNetwork())
        #expect(agreement.conversationIDs == [table.id])
        #expect(agreement.groups(of: table.id) == [[0, 1]])
        #expect(agreement.heads(of: table.id, at: 0).count == 3)
        #expect(agreement.isConverged && agreement.arePicturesHere)
        let more = nodes + [node("c", key: 3, sessions: 4)]
        #expect(!Agreement(more, SimulatedNetwork()).isConverged)
    }

    /// Copies without a link to each other need not agree.
    @Test func copiesAreInGroupsOfTheirOwn() {
        let nodes = [node("a", key: 1, sessions: 3), node("a2", key: 1, sessions: 4)]
        let agreement = Agreement(nodes, SimulatedNetwork())
        #expect(agreement.hasCopies)
        #expect(agreement.groups(of: table.id) == [[0], [1]])
        #expect(agreement.isConverged)
    }
}
