import Foundation
import ParleyNode

/// The host's part in matches, for all apps with seats, whether they run or not.
@MainActor
final class MatchKeeper {
    typealias MatchAnswer = @MainActor (Result<Void, HostError>) -> Void

    let node: any HostNode
    let models: ConversationModels
    /// The host, which sends messages and tells the apps.
    weak var host: AppHost?
    /// The messages to which this host is writing the next one.
    private var goingOn: Set<MessageID> = []
    /// The states to which own messages can be taken back.
    private var undoSteps: [PlacedSession: UndoStep] = [:]
    /// The matches in which this host has taken a seat that somebody waited for.
    var seated: Set<SessionID> = []
    /// The parts of dice and cards and the keys that are being sent.
    var owed: Set<OwedPart> = []
    /// The matches that a person here has open, and when the members are told again.
    var ownBoards: [PlacedSession: Date] = [:]
    /// Whether a page shows what apps draw; nil if there was no page.
    var isOnPage: Bool?
    /// The time up to which apps know which clocks have run out.
    private var clocksSeen = Date.distantPast

    init(_ node: any HostNode, _ models: ConversationModels) {
        self.node = node
        self.models = models
    }

    /// The most additions to one session that are read.
    private static let additionsMax = 512
    /// The entries of a conversation among which the host looks for matches when it starts.
    private static let startMax = 64

    /// Handles a change of a session: another message is shown, or somebody has added something.
    func sessionChanged(_ session: SessionID, _ model: ConversationModel) {
        guard let shown = model.sessions[session]?.shown, let view = model.matchView(of: shown)
        else { return }
        guard model.sessions[session]?.hasSides ?? false else {
            return readAdditions(to: [shown], model)
        }
        settle(view, shown, model)
        tell(session, model)
        setAlarm()
        if view.match.roll != nil || view.match.deck != nil { readChance(in: session, model) }
        readParts(view, shown, model)
    }

    /// Reads what was added to the sessions of messages, once for each.
    func readAdditions(to messages: [Message], _ model: ConversationModel) {
        let sessions = model.askingForSides(of: messages.map(\.session))
        guard !sessions.isEmpty else { return }
        let targets = sessions.map { AdditionTarget.session($0) }
        node.sides(on: targets, last: Self.additionsMax, in: model.name) { [weak self] result in
            guard case .success(let details) = result else { return }
            model.read(details)
            model.hasSides(of: sessions)
            for session in sessions { self?.sessionChanged(session, model) }
        }
    }

    /// Reads the conversations in which others may have waited for this node while it was off.
    func start() {
        guard host?.hasMatches ?? false else { return }
        withWriters { [weak self] conversation in
            self?.node.transcript(of: conversation.name, at: .end, limit: Self.startMax) { result in
                guard case .success(let page) = result else { return }
                for message in page.entries.compactMap(\.message) {
                    self?.wake(conversation, by: message)
                }
            }
        }
    }

    /// An addition has come to a conversation that nobody has opened: somebody may wait for a seat.
    func wake(_ name: String, by addition: Addition) {
        guard models[name] == nil, host?.hasMatches ?? false else { return }
        withWriters { [weak self] conversation in
            guard conversation.name == name else { return }
            self?.node.session(addition.session, in: name) { result in
                if case .success(let detail) = result { self?.wake(conversation, by: detail.shown) }
            }
        }
    }

    /// A message of a match has come to a conversation that nobody has opened: the others may wait
    /// for this node's part.
    func wake(_ name: String, by message: Message) {
        withWriters { [weak self] conversation in
            if conversation.name == name { self?.wake(conversation, by: message) }
        }
    }

    private func withWriters(_ use: @escaping @MainActor (Conversation) -> Void) {
        node.conversations { result in
            for conversation in (try? result.get()) ?? [] where conversation.role == .writer {
                use(conversation)
            }
        }
    }

    /// Reads a conversation if its match is the own offer, has an own seat, or was waited for.
    private func wake(_ conversation: Conversation, by message: Message) {
        let (me, name) = (conversation.me.id, conversation.name)
        guard let match = message.content?.match,
            match.phase != .over || match.roll != nil || match.deck != nil
        else { return }
        if match.phase == .offered ? message.sender.id == me : match.seats.contains(me) {
            return models.model(of: name) { _ in }
        }
        guard match.phase == .offered else { return }
        // The wish for the next match is with the one before.
        let before = AdditionTarget.session(message.session.ofMatchBefore)
        node.sides(on: [before], last: Self.additionsMax, in: name) { [weak self] result in
            let wishes = ((try? result.get()) ?? []).map(\.shown).filter { $0.sender.id == me }
            guard wishes.contains(where: { $0.content?.addition?.kind == .seat }) else { return }
            self?.models.model(of: name) { _ in }
        }
    }

    /// Tells the apps, and whoever looks at the conversation.
    func tell(_ session: SessionID, _ model: ConversationModel) {
        for panel in host?.panels(in: model.name) ?? [] { panel.matchChanged(session) }
        host?.recent.changed(model.name)
        host?.noticed(model.name)
    }

    // MARK: What follows by itself

    /// Confirms seats of an own offer, and ends a match that all others have left.
    private func settle(_ view: MatchStanding, _ shown: Message, _ model: ConversationModel) {
        guard view.canWrite else { return }
        if shown.isConflict { return join(view, model) }
        switch view.match.phase {
        case .offered where view.isAwaited && seated.insert(view.session).inserted:
            add(Addition(to: view.session, .seat), model) { _ in }
        case .offered where view.author == view.me && view.wantedSeats == view.rematchSeats:
            goOn(from: shown, view.match.started(view.wantedSeats), model) {
                $0.summaryText = "Everybody plays again"
            }
        case .offered where view.author == view.me && view.wantedSeats != view.match.seats:
            let (before, after) = (view.match.seats, view.wantedSeats)
            let came = after.filter { !before.contains($0) }
            let left = before.filter { !after.contains($0) }
            let line =
                came.isEmpty ? Self.list(left) + " left" : Self.list(came) + " joined"
            goOn(from: shown, view.match.confirmed(after), model) { $0.summaryText = line }
        case .running where view.active.count <= min(1, view.match.seats.count - 1):
            guard view.match.seats[view.active.first ?? 0] == view.me else { return }
            end(shown, view, view.lastOutcomes, model)
        default: break
        }
    }

    /// Of two who offer a rematch at once, one joins the other's.
    private func join(_ view: MatchStanding, _ model: ConversationModel) {
        let others = model.sessions[view.session]?.others ?? []
        guard view.match.phase == .offered,
            others.allSatisfy({ $0.content?.match?.phase == .offered })
        else { return }
        if view.author != view.me {
            guard others.contains(where: { $0.sender.id == view.me }),
                !view.joined.contains(view.me)
            else { return }
            add(Addition(to: view.session, .seat), model) { _ in }
        } else if let shown = model.sessions[view.session]?.shown, !view.joined.isEmpty {
            let line = Self.list(view.joined) + " joined"
            goOn(from: shown, view.match.confirmed(view.wantedSeats), model) {
                $0.summaryText = line
            }
        }
    }

    private func end(
        _ shown: Message,
        _ view: MatchStanding,
        _ outcomes: [ParleyOutcome],
        claiming claim: Match.Claim? = nil,
        _ model: ConversationModel,
        _ done: MatchAnswer? = nil
    ) {
        var match = view.match.ended(outcomes)
        match.claim = claim
        let winners = zip(view.match.seats, outcomes).filter { $1 == .won }.map(\.0)
        let line = winners.isEmpty ? "Everybody has left" : Self.list(winners) + " won"
        goOn(from: shown, match, model, done) { content in
            content.summaryText = line
            content.layout?.caption = line
            content.layout?.subcaption = nil
        }
    }

    private static func list(_ participants: [UUID]) -> String {
        participants.prefix(4).map { "$" + $0.uuidString }.joined(separator: ", ")
    }

    // MARK: What people and apps do

    /// Carries out a choice that needs no message of an app.
    func perform(
        _ choice: ParleyMatch.Choice,
        in session: SessionID,
        of model: ConversationModel,
        _ done: @escaping MatchAnswer
    ) {
        guard let shown = model.sessions[session]?.shown, let view = model.matchView(of: shown),
            view.choices(at: node.now).contains(choice)
        else { return done(.failure(.cannot(choice))) }
        switch choice {
        case .takeSeat, .takeNextSeat: add(Addition(to: session, .seat), model, done)
        case .resign: add(Addition(to: session, .quit), model, done)
        case .leaveSeat: leaveSeat(view, shown, model, done)
        case .start:
            let line = "$\(view.me.uuidString) began the game"
            let match = view.match.started(view.wantedSeats)
            goOn(from: shown, match, model, done) { $0.summaryText = line }
        case .claimTurn: claimTurn(view, shown, model, done)
        case .undo: undo(shown, model, done)
        case .nudge: nudge(session, model, done)
        case .rematch, .newMatch: done(.failure(.cannot(choice)))
        }
    }

    /// Adds something to a session.
    func add(_ addition: Addition, _ model: ConversationModel, _ done: @escaping MatchAnswer) {
        var content = MessageContent()
        content.addition = addition
        host?.send(Draft(content: content), to: model.name) {
            done($0.map { _ in }.mapError { HostError($0) })
        }
    }

    private func claimTurn(
        _ view: MatchStanding,
        _ shown: Message,
        _ model: ConversationModel,
        _ done: @escaping MatchAnswer
    ) {
        let isLate = view.isLate(at: node.now)
        let left = view.answering
        let ends = isLate && (view.active.count <= 2 || left.count <= 1)
        let claim = isLate ? Match.Claim(ends ? .ends : .skips, after: shown.id) : nil
        if ends {
            let outcomes = view.match.seats.enumerated().map { seat, participant in
                participant == view.me
                    ? ParleyOutcome.won
                    : view.quitters.contains(participant) ? .quit : .lost
            }
            return end(shown, view, outcomes, claiming: claim, model, done)
        }
        var match = view.match.moved(to: [view.seat(after: view.match.turn?.last ?? 0)])
        match.claim = claim
        if left.count < view.active.count {
            // Who does not give a part of the roll is out of it, and the dice are rolled again.
            let call: ParleyRoll.Call = match.roll?.kind == .open ? .all : .hidden
            match.roll = match.nextRoll(call, of: left, by: nil)
            match.turn = [left.first { $0 > view.match.turn?.last ?? 0 } ?? left[0]]
        }
        match.deck = view.deckWithoutMissing ?? match.deck
        goOn(from: shown, match, model, done) {
            $0.summaryText = "$\(view.me.uuidString) went on without waiting"
        }
    }

    private func undo(
        _ shown: Message,
        _ model: ConversationModel,
        _ done: @escaping MatchAnswer
    ) {
        let place = PlacedSession(session: shown.session, conversation: model.name)
        guard let step = undoSteps.removeValue(forKey: place), step.own == shown.id else {
            return done(.failure(.cannot(.undo)))
        }
        var draft = step.before
        draft.content.match?.undone = shown.id
        draft.content.match?.overruled = model.overruled(in: shown.session)
        draft.replacing = [model.last(of: shown).id]
        host?.send(draft, to: model.name) { done($0.map { _ in }.mapError { HostError($0) }) }
    }

    // MARK: Messages

    /// Replaces a message of a match by one with the same content and another state.
    ///
    /// While one is under way, nothing else follows the same message.
    func goOn(
        from shown: Message,
        _ match: Match,
        _ model: ConversationModel,
        _ done: MatchAnswer? = nil,
        editing edit: @escaping @MainActor (inout MessageContent) -> Void
    ) {
        guard goingOn.insert(shown.id).inserted else {
            done?(.failure(.nothingThere))
            return
        }
        copy(shown, in: model.name) { [weak self] draft in
            var draft = draft
            draft.content.match = match
            draft.content.match?.overruled = model.overruled(in: shown.session)
            edit(&draft.content)
            draft.next = match.next
            // Other offers, of those who were as fast, are replaced as well.
            draft.replacing = shown.isConflict ? nil : [model.last(of: shown).id]
            self?.host?.send(draft, to: model.name) { [weak self] result in
                self?.goingOn.remove(shown.id)
                done?(result.map { _ in }.mapError { HostError($0) })
            }
        }
    }

    /// Makes a draft with everything that a message has.
    func copy(
        _ message: Message,
        in conversation: String,
        _ use: @escaping @MainActor (Draft) -> Void
    ) {
        var content = message.content ?? MessageContent()
        content.layout?.image = nil
        var draft = Draft(session: message.session, content: content)
        draft.next = message.next
        guard let picture = message.picture else { return use(draft) }
        node.picture(of: message.id, session: message.session, in: conversation) { result in
            if case .success(let bytes?) = result {
                draft.picture = Picture(type: picture.type, bytes: bytes)
            }
            use(draft)
        }
    }

    /// Remembers the state before an own message that may be taken back.
    func keepForUndo(_ before: Draft, after own: MessageID, in conversation: String) {
        // Steps that nobody goes back would pile up, so all are dropped at a limit.
        if undoSteps.count >= 256 { undoSteps = [:] }
        let place = PlacedSession(session: before.session, conversation: conversation)
        undoSteps[place] = UndoStep(own: own, before: before)
    }

    // MARK: Clocks

    /// Has the node call when the next clock runs out, or something else changes without a message.
    func setAlarm() {
        let alarms = models.all.compactMap { $0.nextAlarm(after: clocksSeen) }
        guard let next = (alarms + ownBoards.values).min() else { return }
        node.call(at: next) { [weak self] in
            guard let self else { return }
            let before = clocksSeen
            clocksSeen = node.now
            for model in models.all {
                for session in model.matches(dueSince: before, at: clocksSeen) {
                    tell(session, model)
                }
            }
            beat()
            setAlarm()
        }
    }
}

/// The state before an own message, to which undo goes back.
struct UndoStep {
    /// The own message.
    let own: MessageID
    /// A copy of the message before.
    let before: Draft
}
