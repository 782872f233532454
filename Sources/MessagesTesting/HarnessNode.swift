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

    private let world: World
    private let node: Int
    private let names: [DeviceID: String]
    private var waiting: [RequestID: (draft: ParleyNode.Draft, answer: Answer<SentMessage>)] = [:]
    private var reported: [RequestID: (session: ParleyNode.SessionID, id: MessageID)] = [:]
    private var conversationName = ""

    init(_ world: World, node: Int, names: [DeviceID: String]) {
        self.world = world
        self.node = node
        self.names = names
    }

    // MARK: Questions

    func conversations(_ answer: @escaping Answer<[ParleyNode.Conversation]>) {
        answer(read { machine, reader in machine.conversations.map(reader.conversation) })
    }

    func transcript(
        of conversation: String,
        at place: TranscriptPlace,
        limit: Int,
        _ answer: @escaping Answer<TranscriptPage>
    ) {
        answer(
            readIn(conversation) { machine, reader, number in
                guard let read = machine.conversation(number) else {
                    return TranscriptPage(entries: [])
                }
                let part = read.transcript(place.span, count: limit)
                return TranscriptPage(
                    entries: part.lines.compactMap { line in
                        self.entry(line, in: number, machine, reader)
                    },
                    next: part.next.map(TranscriptCursor.init),
                    position: read.feed.latest
                )
            }
        )
    }

    private func entry(
        _ line: TranscriptLine,
        in number: UInt32,
        _ machine: NodeMachine,
        _ reader: MessageReader
    ) -> ParleyNode.TranscriptEntry? {
        switch line {
        case .summary(_, let line): .summary(reader.summary(line, inConversation: number))
        case .message(let session, _, _):
            machine.conversation(number)?.view(session)
                .flatMap { reader.messages(of: self.filled($0)).first }
                .map { .message($0) }
        }
    }

    func stickers(
        on messages: [MessageID],
        last count: Int,
        in conversation: String,
        _ answer: @escaping Answer<[SessionDetail]>
    ) {
        answer(
            readIn(conversation) { machine, reader, number in
                messages.compactMap(\.dot)
                    .flatMap { machine.conversation(number)?.stickers(on: $0, last: count) ?? [] }
                    .compactMap { reader.detail(of: self.filled($0)) }
            }
        )
    }

    func session(
        _ session: ParleyNode.SessionID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    ) {
        let unknown = NodeError.unknownSession(session.description)
        let found = read { machine, reader -> SessionDetail? in
            guard let view = self.view(of: session, in: conversation, machine) else { return nil }
            return reader.detail(of: view, session: session)
        }
        answer(found.flatMap { $0.map { .success($0) } ?? .failure(unknown) })
    }

    func session(
        of message: MessageID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    ) {
        let unknown = NodeError.unknownMessage(message.description)
        let found = readIn(conversation) { machine, reader, number -> SessionDetail? in
            guard let dot = message.dot,
                let view = machine.conversation(number)?.view(withHead: dot)
            else { return nil }
            return reader.detail(of: self.filled(view))
        }
        answer(found.flatMap { $0.map { .success($0) } ?? .failure(unknown) })
    }

    func picture(
        of message: MessageID,
        session: ParleyNode.SessionID,
        in conversation: String,
        _ answer: @escaping Answer<Data?>
    ) {
        answer(
            read { machine, reader in
                guard let view = self.view(of: session, in: conversation, machine),
                    let head = view.heads.first(where: { MessageID($0.dot) == message })
                else { return nil }
                switch reader.pictureSource(of: head, in: view) {
                case .message(let bytes): return bytes
                case .blob(let blob):
                    return self.world.nodes[self.node].disk.bytes(of: blob)
                        .flatMap { reader.opened($0, of: head, in: view) }
                case nil: return nil
                }
            }
        )
    }

    private func read<Value>(
        _ body: (NodeMachine, MessageReader) -> Value
    ) -> Result<Value, NodeError> {
        guard let machine = world.nodes[node].machine else { return .failure(.stopped) }
        return .success(body(machine, MessageReader(machine) { [names] in names[$0] }))
    }

    private func readIn<Value>(
        _ conversation: String,
        _ body: (NodeMachine, MessageReader, UInt32) -> Value
    ) -> Result<Value, NodeError> {
        read { machine, reader -> Value? in
            machine.conversations.first { $0.record.isCalled(conversation) }
                .map { body(machine, reader, $0.number) }
        }
        .flatMap { value in
            value.map { .success($0) } ?? .failure(.unknownConversation(conversation))
        }
    }

    private func view(
        of session: ParleyNode.SessionID,
        in name: String,
        _ machine: NodeMachine
    ) -> SessionView? {
        for conversation in machine.conversations where conversation.record.isCalled(name) {
            let number = conversation.number
            guard
                let tag = machine.conversation(number)?.tag(
                    of: session.core,
                    using: machine.crypto
                ),
                let view = machine.conversation(number)?.view(tag)
            else { continue }
            return filled(view)
        }
        return nil
    }

    /// Adds envelopes that are on disk only.
    private func filled(_ view: SessionView) -> SessionView {
        var view = view
        let stored = world.nodes[node].disk.rows[view.row]?.heads ?? []
        for index in view.heads.indices where view.heads[index].envelope == nil {
            let dot = view.heads[index].dot
            view.heads[index].envelope = stored.first { $0.dot == dot }?.envelope
        }
        return view
    }

    // MARK: Sending

    func send(
        _ draft: ParleyNode.Draft,
        to conversation: String,
        _ answer: @escaping Answer<SentMessage>
    ) {
        let number = readIn(conversation) { _, _, number in number }
        let request = world.nodes[node].person.nextRequest(at: node)
        do throws(NodeError) {
            let milliseconds = world.nodes[node].clock.wallMilliseconds(at: world.now)
            let made = try draft.authorRequest(
                request,
                conversation: try number.get(),
                sentAt: Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            )
            waiting[request] = (draft, answer)
            world.input(.authored([made]), to: node)
            asked?()
        } catch {
            answer(.failure(error))
        }
    }

    func stop() {
        observer = nil
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
            guard let message = reported[request] else { return }
            emit { name in
                .delivered(conversation: name, session: message.session, message.id, nodes: nodes)
            }
        case .shown(let shown): emitShown(shown)
        case .conflict(let conflict):
            guard let session = session(conflict.tag, conflict.conversation) else { return }
            emit(conflict.conversation) { name in
                .conflict(
                    conversation: name,
                    session: session,
                    heads: conflict.heads.map { MessageID($0) }
                )
            }
        case .outOfTurn(let number, let tag, let dot, let participant):
            emit(number) { name in
                .outOfTurn(
                    conversation: name,
                    session: self.session(tag, number),
                    MessageID(dot),
                    by: participant.uuid
                )
            }
        case .blobArrived(let number, let blob):
            let tags = world.nodes[node].machine?.conversation(number)?.sessions(listing: blob)
            for tag in tags ?? [] {
                guard let session = session(tag, number) else { continue }
                emit(number) { .pictureArrived(conversation: $0, session: session) }
            }
        case .equivocation, .full, .headDropped, .blobDamaged, .link, .pairing, .refused,
            .duplicateIdentity, .divergence, .damaged:
            break
        }
    }

    private func answered(_ request: RequestID, _ answer: AuthorAnswer) {
        guard let entry = waiting.removeValue(forKey: request) else { return }
        guard case .stored(let message) = answer else {
            let error = NodeError(answer, draft: entry.draft, conversation: conversationName)
            return entry.answer(.failure(error ?? .stopped))
        }
        let sent = SentMessage(message)
        if entry.draft.tellsDelivery { reported[request] = (sent.session, sent.id) }
        entry.answer(.success(sent))
    }

    private func emitShown(_ shown: ShownMessage) {
        let number = shown.conversation
        guard let machine = world.nodes[node].machine,
            let found = machine.conversation(number)?.view(shown.tag)
        else { return }
        let view = filled(found)
        let reader = MessageReader(machine) { [names] in names[$0] }
        if let line = view.line(before: shown.dot) {
            let summary = reader.summary(line, inConversation: number)
            emit(number) { .summarized(conversation: $0, summary) }
        }
        guard view.heads.first?.dot == shown.dot, let message = reader.messages(of: view).first
        else { return }
        emit(number) { .shown(conversation: $0, message) }
    }

    private func session(_ tag: SessionTag, _ number: UInt32) -> ParleyNode.SessionID? {
        world.nodes[node].machine?.conversation(number)?.sessionUUID(tag)
            .map { ParleyNode.SessionID($0) }
    }

    private func emit(_ number: UInt32? = nil, _ event: (String) -> NodeEvent) {
        let conversations = world.nodes[node].machine?.conversations.all ?? []
        let found = number.map { number in conversations.first { $0.number == number } }
        guard let conversation = found ?? conversations.first else { return }
        observer?(.happened(event(conversation.record.name)))
    }
}
