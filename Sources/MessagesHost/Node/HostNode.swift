package import Foundation
package import ParleyNode

/// The interface of a node for the host of apps; a real node and a harness implement it.
///
/// Each answer is called exactly once, on the main actor, during the call or later.
@MainActor
package protocol HostNode: AnyObject {
    typealias Answer<Value> = @MainActor (Result<Value, NodeError>) -> Void

    /// Called with every event, in order.
    var observer: (@MainActor (HostNodeEvent) -> Void)? { get set }

    /// All conversations, in the order in which they were joined.
    func conversations(_ answer: @escaping Answer<[Conversation]>)
    /// A page of the shown messages and summaries of a conversation; the node reads no others.
    func transcript(
        of conversation: String,
        at place: TranscriptPlace,
        limit: Int,
        _ answer: @escaping Answer<TranscriptPage>
    )
    /// The sessions that have a sticker on one of the messages: for each message the last `count`.
    func sides(
        on targets: [AdditionTarget],
        last count: Int,
        in conversation: String,
        _ answer: @escaping Answer<[SessionDetail]>
    )
    /// Everything that the node knows of a session.
    func session(
        _ session: SessionID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    )
    /// Everything that the node knows of the session in which the message is a head.
    ///
    /// The failure is `unknownMessage` if there is none.
    func session(
        of message: MessageID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    )
    /// The dice and cards in the game of a session.
    func chance(
        in session: SessionID,
        of conversation: String,
        _ answer: @escaping Answer<ChanceDetail>
    )
    /// The content of a part of a game; nil unless it is for this host's participant.
    func opened(
        _ part: Match.Part,
        of match: Match,
        in session: SessionID,
        of conversation: String,
        _ answer: @escaping Answer<Data?>
    )
    /// The bytes of a message's picture; nil if the node does not have them.
    func picture(
        of message: MessageID,
        session: SessionID,
        in conversation: String,
        _ answer: @escaping Answer<Data?>
    )

    /// Sends messages in the order of the calls; the answer comes once the message is stored.
    func send(
        _ draft: Draft,
        to conversation: String,
        _ answer: @escaping Answer<SentMessage>
    )

    /// Tells the members something about a game; whether it arrives is not known.
    func signal(_ kind: SignalKind, about session: SessionID, in conversation: String)

    /// Takes the rules of the apps, which the node asks for each message of a game.
    func use(_ rules: @escaping MoveDetail.Rules)

    /// Stops calling the observer.
    func stop()

    /// The time of the machine.
    var now: Date { get }
    /// Calls at a time; an earlier call that is still to come is dropped.
    func call(at time: Date, _ body: @escaping @MainActor () -> Void)
}

/// An event for the host of a node.
package enum HostNodeEvent: Sendable {
    case happened(NodeEvent)
    /// Events were lost, so the host must read everything again.
    case lostEvents
    /// The node or its host stops, and no event follows.
    case ended
}
