package import Foundation
package import ParleyNode

/// The node as the host of apps sees it: the real one, or one of a harness.
///
/// Answers come on the main actor, exactly once each, at once or later.
@MainActor
package protocol HostNode: AnyObject {
    typealias Answer<Value> = @MainActor (Result<Value, NodeError>) -> Void

    /// Told of everything that happens, in order.
    var observer: (@MainActor (HostNodeEvent) -> Void)? { get set }

    /// All of them, in the order in which they were joined.
    func conversations(_ answer: @escaping Answer<[Conversation]>)
    /// The shown messages and summaries of a conversation, oldest first.
    func transcript(of conversation: String, _ answer: @escaping Answer<[TranscriptEntry]>)
    /// Everything that is here of a session in that conversation.
    func session(
        _ session: SessionID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    )
    /// The bytes of a message's picture; nil if they are not here.
    func picture(
        of message: MessageID,
        session: SessionID,
        in conversation: String,
        _ answer: @escaping Answer<Data?>
    )

    /// Messages are sent in the order of the calls; answered once stored.
    func send(
        _ draft: Draft,
        to conversation: String,
        _ answer: @escaping Answer<SentMessage>
    )

    /// Tells nothing any more.
    func stop()
}

/// What the node tells its host.
package enum HostNodeEvent: Sendable {
    case happened(NodeEvent)
    /// Events were lost: everything is to be read anew.
    case lostEvents
}
