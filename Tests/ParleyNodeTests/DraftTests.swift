import ParleyCore
import ParleyNode
import Testing

/// What a draft asks of the machine.
@Suite struct DraftTests {
    /// Only a call that waits for peers has them confirm the message at once.
    @Test(arguments: [
        (false, SendWait.stored, AuthorRequest.Following.no),
        (true, .stored, .shown),
        (false, .delivered(nodes: 1, timeout: .seconds(1)), .awaited),
        (true, .delivered(nodes: 1, timeout: .seconds(1)), .awaited),
    ])
    func deliveriesAreFollowed(
        tellsDelivery: Bool,
        wait: SendWait,
        following: AuthorRequest.Following
    ) {
        var draft = ParleyNode.Draft(content: MessageContent())
        draft.tellsDelivery = tellsDelivery
        #expect(draft.following(wait) == following)
    }
}
