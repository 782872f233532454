import Foundation
import MessagesHost
import ParleyCore
import ParleyFaults
import ParleyNode

/// The interface of a host to a simulated node of the harness.
@MainActor
final class HarnessNode: HostNode {
    var observer: (@MainActor (HostNodeEvent) -> Void)?
    /// Called when the node has something to do.
    var asked: (@MainActor () -> Void)?

    private var alarm: (time: Date, body: @MainActor () -> Void)?

    private let world: World
    private let node: Int
    private let names: [DeviceID: String]
    private var waiting: [RequestID: Waiting] = [:]
    private var reported: [RequestID: (conversation: String, message: SentMessage)] = [:]

    /// A draft that was sent to the machine, which has not answered yet.
    private struct Waiting {
        let draft: ParleyNode.Draft
        let conversation: String
        let answer: Answer<SentMessage>
    }

    init(_ world: World, node: Int, names: [DeviceID: String]) {
        self.world = world
        self.node = node
        self.names = names
    }

    // MARK: Questions

    func conversations(_ answer: @escaping Answer<[ParleyNode.Conversation]>) {
        answer(read { reader in reader.conversations })
    }

    func transcript(
        of conversation: String,
        at place: TranscriptPlace,
        limit: Int,
        _ answer: @escaping Answer<TranscriptPage>
    ) {
        answer(
            read { reader throws(NodeError) in
                let read = try reader.readable(conversation)
                let part = read.transcript(place.span, count: limit)
                return TranscriptPage(
                    entries: part.lines.compactMap { line in
                        let view = reader.view(of: line, in: read.number)
                        return reader.entry(of: line, view.map(filled), in: read.number)
                    },
                    next: part.next.map(TranscriptCursor.init),
                    position: read.feed.latest
                )
            }
        )
    }

    func sides(
        on targets: [AdditionTarget],
        last count: Int,
        in conversation: String,
        _ answer: @escaping Answer<[SessionDetail]>
    ) {
        answer(
            read { reader throws(NodeError) in
                try reader.sides(on: targets, last: count, in: conversation)
                    .compactMap { reader.detail(of: filled($0)) }
            }
        )
    }

    func session(
        _ session: ParleyNode.SessionID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    ) {
        answer(
            read { reader throws(NodeError) in
                let view = filled(try reader.view(of: session, in: conversation))
                guard let detail = reader.detail(of: view, session: session) else {
                    throw .unknownSession(session.description)
                }
                return detail
            }
        )
    }

    func session(
        of message: MessageID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    ) {
        answer(
            read { reader throws(NodeError) in
                let view = filled(try reader.view(of: message, in: conversation))
                guard let detail = reader.detail(of: view) else {
                    throw .unknownMessage(message.description)
                }
                return detail
            }
        )
    }

    func chance(
        in session: ParleyNode.SessionID,
        of conversation: String,
        _ answer: @escaping Answer<ChanceDetail>
    ) {
        answer(
            read { reader throws(NodeError) in
                try reader.chance(in: session, of: conversation, for: nil)
            }
        )
    }

    func opened(
        _ part: Match.Part,
        of match: Match,
        in session: ParleyNode.SessionID,
        of conversation: String,
        _ answer: @escaping Answer<Data?>
    ) {
        answer(
            read { reader throws(NodeError) in
                try reader.opened(part, of: match, in: session, of: conversation, for: nil)
            }
        )
    }

    func picture(
        of message: MessageID,
        session: ParleyNode.SessionID,
        in conversation: String,
        _ answer: @escaping Answer<Data?>
    ) {
        answer(
            read { reader throws(NodeError) in
                let view = filled(try reader.view(of: session, in: conversation))
                guard let head = view.heads.first(where: { MessageID($0.dot) == message }) else {
                    throw .unknownMessage(message.description)
                }
                switch reader.pictureSource(of: head, in: view) {
                case .message(let bytes): return bytes
                case .blob(let blob):
                    return world.nodes[node].disk.bytes(of: blob)
                        .flatMap { reader.opened($0, of: head, in: view) }
                case nil: return nil
                }
            }
        )
    }

    private func read<Value>(
        _ body: (MessageReader) throws(NodeError) -> Value
    ) -> Result<Value, NodeError> {
        guard let reader else { return .failure(.stopped) }
        do { return .success(try body(reader)) } catch { return .failure(error) }
    }

    private var reader: MessageReader? {
        world.nodes[node].machine.map { MessageReader($0) { [names] in names[$0] } }
    }

    /// Adds envelopes that are on disk only.
    private func filled(_ view: SessionView) -> SessionView {
        view.filled(from: world.nodes[node].disk.rows[view.row]?.heads ?? [])
    }

    // MARK: Sending

    func send(
        _ draft: ParleyNode.Draft,
        to conversation: String,
        _ answer: @escaping Answer<SentMessage>
    ) {
        let number = read { reader throws(NodeError) in try reader.readable(conversation).number }
        let request = world.nodes[node].person.nextRequest(at: node)
        do throws(NodeError) {
            let made = try draft.authorRequest(
                request,
                conversation: try number.get(),
                sentAt: now
            )
            waiting[request] = Waiting(draft: draft, conversation: conversation, answer: answer)
            world.input(.authored([made]), to: node)
            asked?()
        } catch {
            answer(.failure(error))
        }
    }

    func signal(
        _ kind: SignalKind,
        about session: ParleyNode.SessionID,
        in conversation: String
    ) {
        let input = read { reader throws(NodeError) in
            try reader.request(kind, about: session, in: conversation)
        }
        guard case .success(let signal) = input else { return }
        world.input(signal, to: node)
        asked?()
    }

    func use(_ rules: @escaping MoveDetail.Rules) {
        world.nodes[node].use { rules(MoveDetail($0)) }
    }

    func stop() {
        observer = nil
        alarm = nil
    }

    // MARK: Time

    var now: Date {
        let milliseconds = world.nodes[node].clock.wallMilliseconds(at: world.now)
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    func call(at time: Date, _ body: @escaping @MainActor () -> Void) {
        alarm = (time, body)
    }

    /// Calls what is due.
    func callWhatIsDue() {
        guard let due = alarm, due.time <= now else { return }
        alarm = nil
        due.body()
    }

    /// Fails all open requests, as the node's process has ended.
    func ended() {
        observer = nil
        let unanswered = waiting
        waiting = [:]
        reported = [:]
        for (_, entry) in unanswered.sorted(by: { $0.key.value < $1.key.value }) {
            entry.answer(.failure(.stopped))
        }
    }

    // MARK: News

    /// Whether no send waits for an answer.
    var isIdle: Bool { waiting.isEmpty }

    /// Turns a delivery of the machine into answers and events.
    func take(_ delivery: Delivery) {
        switch delivery {
        case .answer(let request, let answer): answered(request, answer)
        case .delivered(let request, let nodes):
            guard let (conversation, message) = reported[request] else { return }
            emit(
                .delivered(
                    conversation: conversation,
                    session: message.session,
                    message.id,
                    nodes: nodes
                )
            )
        case .shown(let shown): emitShown(shown)
        default: reader?.events(of: delivery).forEach(emit)
        }
    }

    private func answered(_ request: RequestID, _ answer: AuthorAnswer) {
        guard let entry = waiting.removeValue(forKey: request) else { return }
        guard case .stored(let message) = answer else {
            let error = NodeError(answer, draft: entry.draft, conversation: entry.conversation)
            return entry.answer(.failure(error ?? .stopped))
        }
        let sent = SentMessage(message)
        if entry.draft.tellsDelivery { reported[request] = (entry.conversation, sent) }
        entry.answer(.success(sent))
    }

    private func emitShown(_ shown: ShownMessage) {
        guard let reader,
            let view = world.nodes[node].machine?.conversations
                .view(shown.tag, in: shown.conversation)
        else { return }
        reader.summarized(before: shown, in: view).map(emit)
        guard view.heads.first?.dot == shown.dot else { return }
        reader.shown(filled(view)).map(emit)
    }

    private func emit(_ event: NodeEvent) { observer?(.happened(event)) }
}
