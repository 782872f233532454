import Foundation
import MessagesHost
import ParleyNode

/// A node that has what a test says and answers at once, for what no node of a harness does: lose
/// events, wait for pictures, refuse what it is given.
@MainActor
final class DeskNode: HostNode {
    static let me = Participant(id: UUID(), device: "ME", name: "me")

    var observer: (@MainActor (HostNodeEvent) -> Void)?
    var now = Date()
    private(set) var alarm: (time: Date, body: @MainActor () -> Void)?
    var conversations: [Conversation]
    var shown: [Message] = []
    var others: [SessionID: [Message]] = [:]
    var pictures: [MessageID: Data] = [:]
    /// The error with which it refuses every message that is sent; nil to store them.
    var refusal: NodeError?
    private(set) var sent: [Draft] = []
    private(set) var signals: [SignalKind] = []
    /// Whether transcripts, read at once, are answered only by `answerTranscripts`.
    var holdsTranscripts = false
    private var held: [@MainActor () -> Void] = []
    /// Whether what is sent is answered only by `answerSends`.
    var holdsSends = false
    private var unanswered: [@MainActor () -> Void] = []
    /// How many entries the host asked for, one number for each page.
    var entriesAsked: [Int] = []
    /// The feed position of what the host reads; sessions have their revision.
    var position: UInt64 = 0
    private var lastNumber: UInt64 = 0

    init(_ people: [Participant]) {
        conversations = [Self.conversation("table", people)]
    }

    static func conversation(
        _ name: String,
        _ people: [Participant],
        id: Character = "0"
    ) -> Conversation {
        Conversation(
            name: name,
            id: String(repeating: id, count: 64),
            role: .writer,
            isOpen: false,
            participants: people + [me],
            me: me
        )
    }

    /// A message of `sender`'s in that session, of the app with that name.
    func message(
        _ url: String,
        app: String,
        from sender: Participant,
        in session: SessionID = SessionID(),
        revision: UInt64 = 1,
        picture: PictureInfo? = nil,
        isConflict: Bool = false
    ) throws -> Message {
        var content = MessageContent()
        content.app = app
        content.url = url
        content.layout = ContentLayout()
        return Message(
            session: session,
            id: try nextID(),
            revision: revision,
            sender: sender,
            sentAt: Date(timeIntervalSince1970: 1),
            content: content,
            isConflict: isConflict,
            picture: picture
        )
    }

    private func nextID() throws(NodeError) -> MessageID {
        lastNumber += 1
        let text = String(repeating: "a", count: 32) + "-\(lastNumber)"
        guard let id = MessageID(text) else { throw .unknownMessage(text) }
        return id
    }

    /// Tells the host.
    func emit(_ event: HostNodeEvent) { observer?(event) }

    /// Shows a message, replacing that of its session.
    func show(_ message: Message) {
        shown.removeAll { $0.session == message.session }
        shown.append(message)
    }

    // MARK: Questions of a host

    func conversations(_ answer: @escaping Answer<[Conversation]>) {
        answer(.success(conversations))
    }

    func transcript(
        of conversation: String,
        at place: TranscriptPlace,
        limit: Int,
        _ answer: @escaping Answer<TranscriptPage>
    ) {
        entriesAsked.append(limit)
        let page = page(conversation == "table" ? shown : [], at: place, limit)
        guard holdsTranscripts else { return answer(.success(page)) }
        held.append { answer(.success(page)) }
    }

    /// A page of these messages; a cursor has the index of its message as its place.
    private func page(_ all: [Message], at place: TranscriptPlace, _ limit: Int) -> TranscriptPage {
        var end = all.count
        if case .before(let cursor) = place {
            end = cursor.description.split(separator: ".").first.flatMap { Int($0) } ?? end
        }
        let start = max(0, end - limit)
        return TranscriptPage(
            entries: all[start..<end].map { .message($0) },
            next: start == 0 ? nil : TranscriptCursor("\(start).0.\(all[start].id)"),
            position: position
        )
    }

    func sides(
        on targets: [AdditionTarget],
        last count: Int,
        in conversation: String,
        _ answer: @escaping Answer<[SessionDetail]>
    ) {
        let found = shown.filter { shown in
            ([shown] + (others[shown.session] ?? [])).contains { head in
                let sticker = head.content?.placement.map { AdditionTarget.message($0.message) }
                let target = head.content?.addition.map { AdditionTarget.session($0.session) }
                return (sticker ?? target).map(targets.contains) ?? false
            }
        }
        answer(.success(found.map(detail)))
    }

    /// Answers what was asked, as it was then.
    func answerTranscripts() {
        holdsTranscripts = false
        let answers = held
        held = []
        for answer in answers { answer() }
    }

    func session(
        _ session: SessionID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    ) {
        guard let message = shown.first(where: { $0.session == session }) else {
            return answer(.failure(.unknownSession(session.description)))
        }
        answer(.success(detail(message)))
    }

    private func detail(_ shown: Message) -> SessionDetail {
        SessionDetail(
            conversation: "table",
            session: shown.session,
            shown: shown,
            others: others[shown.session] ?? [],
            replaced: [],
            position: shown.revision
        )
    }

    func session(
        of message: MessageID,
        in conversation: String,
        _ answer: @escaping Answer<SessionDetail>
    ) {
        let head = (shown + others.values.joined()).first { $0.id == message }
        guard let head else { return answer(.failure(.unknownMessage(message.description))) }
        session(head.session, in: conversation, answer)
    }

    func chance(
        in session: SessionID,
        of conversation: String,
        _ answer: @escaping Answer<ChanceDetail>
    ) {
        answer(.success(ChanceDetail()))
    }

    func opened(
        _ part: Match.Part,
        of match: Match,
        in session: SessionID,
        of conversation: String,
        _ answer: @escaping Answer<Data?>
    ) {
        answer(.success(nil))
    }

    func picture(
        of message: MessageID,
        session: SessionID,
        in conversation: String,
        _ answer: @escaping Answer<Data?>
    ) {
        answer(.success(pictures[message]))
    }

    func send(
        _ draft: Draft,
        to conversation: String,
        _ answer: @escaping Answer<SentMessage>
    ) {
        if let refusal { return answer(.failure(refusal)) }
        sent.append(draft)
        let result = Result { () throws(NodeError) in
            SentMessage(session: draft.session, id: try nextID(), revision: 1, nodes: 0)
        }
        guard holdsSends else { return answer(result) }
        unanswered.append { answer(result) }
    }

    /// Answers everything that was sent.
    func answerSends() {
        holdsSends = false
        let answers = unanswered
        unanswered = []
        for answer in answers { answer() }
    }

    func call(at time: Date, _ body: @escaping @MainActor () -> Void) {
        alarm = (time, body)
    }

    func signal(_ kind: SignalKind, about session: SessionID, in conversation: String) {
        signals.append(kind)
    }

    func use(_ rules: @escaping MoveDetail.Rules) {}
    func stop() { observer = nil }
}
