import Dispatch
package import Foundation
package import ParleyNode

/// The interface of a host to a running node.
@MainActor
package final class NodeAccess: HostNode {
    package var observer: (@MainActor (HostNodeEvent) -> Void)?

    private let node: any MessagingNode
    private var following: Task<Void, Never>?
    private var tasks: [UInt64: Task<Void, Never>] = [:]
    private var lastTask: UInt64 = 0
    private var lastSend: Task<Void, Never>?
    private var alarm: DispatchWorkItem?

    package init(_ node: any MessagingNode) {
        self.node = node
    }

    /// Listens to the events of the node until `stop`.
    package func start() async {
        let first = await node.events()
        following = Task { [weak self, node] in
            var events = first
            while !Task.isCancelled {
                for await event in events {
                    guard let self else { return }
                    if node.tells(event) { self.observer?(.happened(event)) }
                }
                // The stream ends when the node stops, or when this side did not keep up with its
                // events.
                guard !Task.isCancelled else { return }
                guard (try? await node.status()) != nil else {
                    self?.observer?(.ended)
                    return
                }
                events = await node.events()
                self?.observer?(.lostEvents)
            }
        }
    }

    /// Stops listening and cancels all requests.
    package func stop() {
        observer = nil
        alarm?.cancel()
        following?.cancel()
        lastSend?.cancel()
        for task in tasks.values { task.cancel() }
        tasks = [:]
    }

    package var now: Date { Date() }

    package func call(at time: Date, _ body: @escaping @MainActor () -> Void) {
        alarm?.cancel()
        let item = DispatchWorkItem { MainActor.assumeIsolated { body() } }
        alarm = item
        let rest = max(0, time.timeIntervalSinceNow) + 0.05
        DispatchQueue.main.asyncAfter(deadline: .now() + rest, execute: item)
    }

    package func conversations(_ answer: @escaping Answer<[Conversation]>) {
        ask(answer) { (node) async throws(NodeError) in try await node.conversations() }
    }

    package func transcript(
        of conversation: String,
        at place: TranscriptPlace,
        limit: Int,
        _ answer: @escaping Answer<TranscriptPage>
    ) {
        ask(answer) { (node) async throws(NodeError) in
            try await node.transcript(of: conversation, at: place, limit: limit)
        }
    }

    package func sides(
        on targets: [AdditionTarget],
        last count: Int,
        in conversation: String,
        _ answer: @escaping Answer<[SessionDetail]>
    ) {
        ask(answer) { (node) async throws(NodeError) in
            try await node.sides(on: targets, last: count, in: conversation)
        }
    }

    package func session(
        _ session: SessionID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    ) {
        ask(answer) { (node) async throws(NodeError) in
            try await node.session(session, in: conversation)
        }
    }

    package func session(
        of message: MessageID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    ) {
        ask(answer) { (node) async throws(NodeError) in
            try await node.session(of: message, in: conversation)
        }
    }

    package func chance(
        in session: SessionID,
        of conversation: String,
        _ answer: @escaping Answer<ChanceDetail>
    ) {
        ask(answer) { (node) async throws(NodeError) in
            try await node.chance(in: session, of: conversation)
        }
    }

    package func opened(
        _ part: Match.Part,
        of match: Match,
        in session: SessionID,
        of conversation: String,
        _ answer: @escaping Answer<Data?>
    ) {
        ask(answer) { (node) async throws(NodeError) in
            try await node.opened(part, of: match, in: session, of: conversation)
        }
    }

    package func picture(
        of message: MessageID,
        session: SessionID,
        in conversation: String,
        _ answer: @escaping Answer<Data?>
    ) {
        ask(answer) { (node) async throws(NodeError) in
            try await node.pictureBytes(of: message, session: session, in: conversation)
        }
    }

    package func send(
        _ draft: Draft,
        to conversation: String,
        _ answer: @escaping Answer<SentMessage>
    ) {
        let before = lastSend
        lastSend = ask(answer) { (node) async throws(NodeError) in
            await before?.value
            return try await node.send(draft, to: conversation, wait: .stored)
        }
    }

    package func signal(
        _ kind: SignalKind,
        about session: SessionID,
        in conversation: String
    ) {
        ask({ _ in }) { (node) async throws(NodeError) in
            try await node.signal(kind, about: session, in: conversation)
        }
    }

    package func use(_ rules: @escaping MoveDetail.Rules) {
        ask({ _ in }) { (node) async throws(NodeError) in try await node.use(rules) }
    }

    @discardableResult
    private func ask<Value: Sendable>(
        _ answer: @escaping Answer<Value>,
        _ body: @escaping @Sendable (any MessagingNode) async throws(NodeError) -> Value
    ) -> Task<Void, Never> {
        lastTask += 1
        let number = lastTask
        let task = Task { [weak self, node] in
            let result: Result<Value, NodeError>
            do throws(NodeError) {
                result = .success(try await body(node))
            } catch {
                result = .failure(error)
            }
            self?.tasks[number] = nil
            answer(result)
        }
        tasks[number] = task
        return task
    }
}
