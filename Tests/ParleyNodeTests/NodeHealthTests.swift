import ParleyCore
import ParleyNode
import ParleyStore
import Testing

/// The troubles of a node, and the one word for its store.
@Suite struct NodeHealthTests {
    @Test func aNodeWithoutTroubleHasNone() {
        #expect(NodeHealth().troubles.isEmpty)
        #expect(NodeHealth().store == StoreStatus(state: .ok, detail: nil))
    }

    @Test(arguments: [
        (StoreError.full(path: "a"), NodeTrouble.storeFull, StoreStatus.State.full),
        (.scarce(path: "a", free: 1, least: 2), .storeFull, .full),
        (.io(path: "a", detail: "b"), .storeFails, .failing),
        (.readOnly(path: "a"), .storeFails, .failing),
    ])
    func aDiskThatFailsGoesBeforeQuotas(
        error: StoreError,
        trouble: NodeTrouble,
        state: StoreStatus.State
    ) {
        let health = NodeHealth(storeTrouble: error, usedUp: [(.conversation, "chess")])
        #expect(health.troubles == [trouble, .conversationFull])
        #expect(health.store == StoreStatus(state: state, detail: error.description))
    }

    @Test func eachQuotaIsATroubleOfItsOwn() {
        let both = NodeHealth(usedUp: [(.allConversations, "chess"), (.origins, "go")])
        #expect(both.troubles == [.conversationFull, .quotaFull])
        #expect(both.store.state == .quotaFull)
        #expect(both.store.detail == Shortage.allConversations.sentence(in: "chess"))
        let one = NodeHealth(usedUp: [(.origins, "go")])
        #expect(one.troubles == [.conversationFull])
        #expect(one.store.state == .conversationFull)
    }

    @Test func aNodeThatNobodyReachesSaysSo() {
        #expect(NodeHealth(isListening: false).troubles == [.notListening])
        #expect(NodeHealth(isFound: false).troubles == [.notAnnounced])
    }
}
