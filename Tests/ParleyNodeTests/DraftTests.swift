import Foundation
import ParleyCore
import ParleyNode
import Testing

/// The request that a draft makes of the machine.
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

    /// A message of nothing is refused, whatever program sends it, and one of little is not.
    @Test func aMessageSaysSomething() throws {
        func request(_ change: (inout ParleyNode.Draft) -> Void) throws {
            var draft = ParleyNode.Draft(content: MessageContent())
            change(&draft)
            _ = try draft.authorRequest(
                RequestID(1),
                conversation: 1,
                sentAt: Date(timeIntervalSince1970: 0)
            )
        }
        let nothing: [(inout ParleyNode.Draft) -> Void] = [
            { _ in }, { $0.content.app = "chess" }, { $0.content.url = "" },
            { $0.content.url = " " }, { $0.content.layout = ContentLayout() },
            { $0.content.layout = Self.layout(caption: "") },
            { $0.content.layout = Self.layout(caption: " \u{200b}\u{3164}") },
            {
                $0.content.layout = Self.layout(caption: "said"); $0.content.url = ""
            },
        ]
        for change in nothing { #expect(throws: NodeError.self) { try request(change) } }
        let something: [(inout ParleyNode.Draft) -> Void] = [
            { $0.content.url = "?" }, { $0.content.summaryText = "moved" }, { $0.isEnd = true },
            { $0.content.layout = Self.layout(caption: "said") },
            { $0.content.layout = Self.layout(isLive: true) },
            {
                $0.content.layout = ContentLayout()
                $0.picture = Picture(type: "image/png", bytes: Data([1]))
            },
        ]
        for change in something { try request(change) }
    }

    private static func layout(caption: String? = nil, isLive: Bool = false) -> ContentLayout {
        var layout = ContentLayout()
        layout.caption = caption
        layout.isLive = isLive
        return layout
    }
}
