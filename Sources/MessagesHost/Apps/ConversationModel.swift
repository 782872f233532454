import Foundation
import Messages
import ParleyNode

/// A host's copy of the end of a conversation: shown messages, summaries and participants.
///
/// The model remembers the sessions that were read or changed last, and so costs the same memory
/// for any length of the conversation. Other sessions are read from the node when a person uses
/// them.
@MainActor
final class ConversationModel {
    /// The state of a session.
    struct Session {
        var shown: Message
        /// The other heads while there is a conflict.
        var others: [Message] = []
        /// The summaries of replaced messages, oldest first.
        var replaced: [Summary] = []
        /// Messages against the rules of the game since the last one within them, which is shown.
        fileprivate(set) var violations: [Message] = []
        /// The dice and cards of a match, as far as the node knows them.
        fileprivate(set) var chance = ChanceDetail()
        /// The contents of the match's parts for this device, by their sealed bytes.
        fileprivate(set) var opened: [Match.Part: Data] = [:]
        /// When the shown message arrived here.
        fileprivate(set) var seenAt: Date
        /// Whether what was added to the session has been read.
        fileprivate(set) var hasSides = false
        fileprivate var asksForSides = false
        /// When the session was read or changed last, as a number that rises.
        fileprivate var use: UInt64 = 0
    }

    let name: String
    private(set) var conversation: Conversation
    private(set) var sessions: [SessionID: Session] = [:]
    /// The stickers on messages.
    private(set) var stickers = PlacedStickers()
    /// What participants have added to sessions.
    private(set) var additions = PlacedSides<PlacedAddition>()
    /// The participants at each match.
    var boards = Boards()
    /// The remembered sessions in which this device has the turn.
    private(set) var turns: Set<SessionID> = []
    /// Tells whether this device has the turn after a message.
    private let isMyTurn: @MainActor (Message, ConversationModel) -> Bool
    /// The rules of the apps.
    let rules: AppRules
    /// The time of this machine.
    let now: @MainActor () -> Date
    /// Called with the messages whose stickers have changed.
    var stickerObserver: (@MainActor (Set<MessageID>) -> Void)?
    /// Called with a session that shows another message, or to which something was added.
    var sessionObserver: (@MainActor (SessionID) -> Void)?
    private var participants: [UUID: Participant] = [:]
    /// The feed position up to which the conversation was read; later changes are told by events.
    private var position: UInt64 = 0
    private var lastUse: UInt64 = 0

    /// The sessions that are remembered; for a while, twice as many may be.
    static let sessionsMax = 1_024
    /// The most summaries that are kept of one session.
    static let replacedMax = 16

    init(
        _ conversation: Conversation,
        _ transcript: TranscriptPage,
        rules: AppRules,
        now: @escaping @MainActor () -> Date,
        isMyTurn: @escaping @MainActor (Message, ConversationModel) -> Bool
    ) {
        self.rules = rules
        self.now = now
        name = conversation.name
        self.conversation = conversation
        self.isMyTurn = isMyTurn
        reload(conversation, transcript)
    }

    /// Replaces everything by the result of another read.
    func reload(_ conversation: Conversation, _ transcript: TranscriptPage) {
        self.conversation = conversation
        position = transcript.position
        for participant in conversation.participants { learn(participant) }
        learn(conversation.me)
        var lines: [SessionID: [Summary]] = [:]
        let known = sessions
        sessions = [:]
        for entry in transcript.entries {
            switch entry {
            case .message(let message):
                let before = known[message.session]
                let seenAt = before?.shown.id == message.id ? before?.seenAt : nil
                sessions[message.session] = Session(shown: message, seenAt: seenAt ?? now())
                use(message.session)
            case .summary(let summary): lines[summary.session, default: []].append(summary)
            }
        }
        for (session, replaced) in lines { sessions[session]?.replaced = replaced }
        let before = stickers.targets
        stickers = PlacedStickers()
        additions = PlacedSides()
        for session in sessions.keys { setSide(of: session) }
        turns = Set(sessions.values.filter { isMyTurn($0.shown, self) }.map(\.shown.session))
        notify(before.union(stickers.targets))
    }

    /// Notes that a session is used; the least recently used sessions are forgotten.
    private func use(_ session: SessionID) {
        lastUse += 1
        sessions[session]?.use = lastUse
        // Forgetting half at once makes sorting rare.
        guard sessions.count >= 2 * Self.sessionsMax else { return }
        let uses = sessions.values.map(\.use).sorted()
        let first = uses[uses.count - Self.sessionsMax]
        sessions = sessions.filter { $0.value.use >= first }
        turns.formIntersection(sessions.keys)
    }

    // MARK: People

    var me: Participant { conversation.me }

    /// Whether this device may write, and no remembered session shows a message of the device.
    var isUnheard: Bool {
        conversation.role == .writer && !sessions.values.contains { $0.shown.sender.id == me.id }
    }

    /// The other participants, sorted by UUID.
    var remotes: [UUID] {
        participants.keys.filter { $0 != me.id }.sorted { $0.uuidString < $1.uuidString }
    }

    var everybody: [Participant] {
        participants.values.sorted { $0.id.uuidString < $1.id.uuidString }
    }

    func participant(_ id: UUID) -> Participant? { participants[id] }

    var names: NameTokens {
        NameTokens(participants.compactMapValues(\.name))
    }

    /// Adds a participant or a new name; returns whether the participant was unknown.
    @discardableResult
    func learn(_ participant: Participant) -> Bool {
        guard !participant.device.isEmpty else { return false }
        let known = participants[participant.id]
        guard known == nil || (known?.name != participant.name && participant.name != nil) else {
            return false
        }
        participants[participant.id] = participant
        return known == nil
    }

    // MARK: Sessions

    /// Records the shown message of a session; returns whether it differs from the previous one.
    ///
    /// An event may come after a newer state of the session was read. So a message is
    /// ignored if its revision is lower than that of the shown message, or if it is another head.
    func shown(_ message: Message) -> Bool {
        defer { readSide(of: message.session) }
        defer { use(message.session) }
        guard let known = sessions[message.session] else {
            sessions[message.session] = Session(shown: message, seenAt: now())
            return true
        }
        guard message.revision >= known.shown.revision,
            !known.others.contains(where: { $0.id == message.id })
        else { return false }
        if message.fault != nil, known.shown.fault == nil, known.shown.content?.match != nil {
            note([message], against: known.shown)
            return false
        }
        sessions[message.session]?.shown = message
        if known.shown.id != message.id { sessions[message.session]?.violations = [] }
        if known.shown.id != message.id { sessions[message.session]?.seenAt = now() }
        return known.shown.id != message.id
    }

    /// Notes messages against the rules of a game; the last one within them goes on being shown.
    func note(_ violations: [Message], against legal: Message) {
        sessions[legal.session]?.shown = legal
        for message in violations.suffix(Match.overruledMax) {
            let isKnown = sessions[legal.session]?.violations.contains { $0.id == message.id }
            if isKnown == false { sessions[legal.session]?.violations.append(message) }
        }
    }

    /// The last message of a game, which may be one against its rules.
    func last(of legal: Message) -> Message {
        sessions[legal.session]?.violations.last ?? legal
    }

    /// The messages that the next one of a game has to overrule; nil for none.
    func overruled(in session: SessionID) -> [MessageID]? {
        let violations = sessions[session]?.violations ?? []
        return violations.isEmpty ? nil : violations.suffix(Match.overruledMax).map(\.id)
    }

    func summarized(_ summary: Summary) {
        guard var session = sessions[summary.session],
            !session.replaced.contains(where: { $0.id == summary.id })
        else { return }
        session.replaced.append(summary)
        session.replaced.sort { $0.revision < $1.revision }
        if session.replaced.count > Self.replacedMax { session.replaced.removeFirst() }
        sessions[summary.session] = session
    }

    /// Notes what the node knows of dice and cards; returns whether that is new.
    func note(_ chance: ChanceDetail, in session: SessionID) -> Bool {
        guard let known = sessions[session]?.chance, known != chance else { return false }
        sessions[session]?.chance = chance
        return true
    }

    /// Notes the content of a part; those that are not in the match any more are forgotten.
    func note(_ content: Data, of part: Match.Part, in session: SessionID) {
        guard let known = sessions[session] else { return }
        let parts = known.shown.content?.match?.parts ?? []
        var opened = known.opened.filter { parts.contains($0.key) }
        opened[part] = content
        sessions[session]?.opened = opened
    }

    /// Whether a session is not remembered, and has not changed since the conversation was read.
    ///
    /// No event reports such a session.
    func isOld(_ detail: SessionDetail) -> Bool {
        sessions[detail.session] == nil && detail.position <= position
    }

    /// Remembers a session that is old.
    func remember(_ detail: SessionDetail) {
        _ = shown(detail.shown)
        sessions[detail.session]?.replaced = detail.replaced
    }

    /// Records the other heads of a session, unless it shows another message by now.
    func conflict(_ detail: SessionDetail) {
        guard sessions[detail.session]?.shown.id == detail.shown.id else { return }
        sessions[detail.session]?.shown = detail.shown
        sessions[detail.session]?.others = detail.others
        readSide(of: detail.session)
    }

    /// Whether this device has the turn after a message, which may be any head.
    func isTurn(after message: Message) -> Bool {
        if sessions[message.session]?.shown.id == message.id {
            return turns.contains(message.session)
        }
        return isMyTurn(message, self)
    }

    private func readTurn(in session: SessionID) {
        let isMine = sessions[session].map { isMyTurn($0.shown, self) } ?? false
        if isMine { turns.insert(session) } else { turns.remove(session) }
    }

    // MARK: Stickers and additions

    /// Takes sessions of stickers and additions that were read from the node.
    func read(_ sides: [SessionDetail]) {
        for detail in sides {
            let changed = setSide(of: detail.session, heads: [detail.shown] + detail.others)
            // A read ahead of the event reports the change, as the event will change nothing.
            if detail.position > position { notify(changed) }
        }
    }

    /// Returns the sessions whose additions nobody has asked for yet.
    func askingForSides(of wanted: [SessionID]) -> [SessionID] {
        let new = wanted.filter { sessions[$0]?.asksForSides == false }
        for session in new { sessions[session]?.asksForSides = true }
        return new
    }

    /// Notes that everything added to the sessions was read; later additions are told by events.
    func hasSides(of read: [SessionID]) {
        for session in read {
            sessions[session]?.hasSides = true
            readTurn(in: session)
        }
    }

    /// Notes that the picture of a message has arrived.
    func pictureArrived(_ session: SessionID) { notify(stickers.pictureArrived(session)) }

    /// Reads what the session is for others, and tells of the change.
    private func readSide(of session: SessionID) {
        notify(setSide(of: session))
        readTurn(in: session)
        sessionObserver?(session)
    }

    /// Notes the sticker or addition of a session; returns the messages that it is on.
    @discardableResult
    private func setSide(of id: SessionID, heads: [Message]? = nil) -> Set<MessageID> {
        // The other heads of a conflict that has ended are not heads any more.
        let others = sessions[id].map { $0.shown.isConflict ? $0.others : [] } ?? []
        let heads = heads ?? (sessions[id].map { [$0.shown] } ?? []) + others
        let old = additions[id]?.addition.reaction?.message
        let changed = additions.set(PlacedAddition(id, heads: heads), of: id)
        let reacted = changed.isEmpty ? [] : [old, additions[id]?.addition.reaction?.message]
        for session in changed {
            readTurn(in: session)
            sessionObserver?(session)
        }
        return stickers.set(PlacedSticker(id, heads: heads, me: me.id), of: id)
            .union(changed.compactMap { sessions[$0]?.shown.id }).union(reacted.compactMap(\.self))
    }

    private func notify(_ messages: Set<MessageID>) {
        if !messages.isEmpty { stickerObserver?(messages) }
    }

    // MARK: Reading

    /// The message with the given ID, if a remembered session has it as a head.
    func head(_ id: MessageID) -> Message? {
        let found = sessions.first { _, session in
            session.shown.id == id || session.others.contains { $0.id == id }
        }
        guard let found else { return nil }
        use(found.key)
        let session = found.value
        return session.shown.id == id ? session.shown : session.others.first { $0.id == id }
    }

    /// The shown messages of an app, in the order in which people see them.
    func messages(of app: String) -> [Message] {
        messages { $0.content?.app == app }
    }

    /// The shown messages that meet a condition, in the order in which people see messages.
    func messages(where isWanted: (Message) -> Bool) -> [Message] {
        sessions.values.map(\.shown).filter(isWanted)
            .sorted { ($0.sentAt, $0.id.description) < ($1.sentAt, $1.id.description) }
    }
}
