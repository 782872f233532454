import ParleyNode

/// Transcripts as people see them.
extension AppHost {
    typealias BubblesAnswer = @MainActor (Result<[Bubble], HostError>) -> Void

    /// Reads the whole transcript, oldest entries first.
    public func bubbles(
        of conversation: String,
        _ answer: @escaping @MainActor (Result<[Bubble], HostError>) -> Void
    ) {
        models.model(of: conversation) { [weak self] result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let model):
                self?.read(model, last: .max, opening: .max) { answer($0.map(\.bubbles)) }
            }
        }
    }

    /// The same, awaited.
    public func bubbles(of conversation: String) async throws(HostError) -> [Bubble] {
        try await HostError.awaited { bubbles(of: conversation, $0) }
    }

    /// Reads the last entries of the transcript, at most `count`, oldest first; asks the node only
    /// if they may have changed since they were read.
    package func bubbles(
        of conversation: String,
        last count: Int,
        _ answer: @escaping @MainActor (Result<[Bubble], HostError>) -> Void
    ) {
        if let found = recent.bubbles(of: conversation, last: count) {
            return answer(.success(found))
        }
        models.model(of: conversation) { [weak self] result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let model): self?.read(model, last: count, answer)
            }
        }
    }

    /// The same, awaited.
    package func bubbles(
        of conversation: String,
        last count: Int
    ) async throws(HostError) -> [Bubble] {
        try await HostError.awaited { bubbles(of: conversation, last: count, $0) }
    }

    private func read(
        _ model: ConversationModel,
        last count: Int,
        _ answer: @escaping BubblesAnswer
    ) {
        let stamp = recent.stamp(of: model.name)
        read(model, last: count) { [weak self] result in
            let found = result.map { Array($0.bubbles.suffix(count)) }
            if case .success(let bubbles) = found {
                self?.recent.keep(bubbles, of: model.name, last: count, stamp: stamp)
            }
            answer(found)
        }
    }

    /// Reads the entries before `part`, or the last ones: page by page, until at least `count` are
    /// listed, `opening` were read, or there are no more.
    ///
    /// Stickers on messages are entries of the node, and not of the transcript.
    func read(
        _ model: ConversationModel,
        last count: Int,
        before part: TranscriptPart = TranscriptPart(),
        opening rest: Int = TranscriptPart.readMax,
        _ answer: @escaping @MainActor (Result<TranscriptPart, HostError>) -> Void
    ) {
        let place = part.next.map { TranscriptPlace.before($0) } ?? .end
        let limit = min(count, TranscriptPage.entriesMax)
        node.transcript(of: model.name, at: place, limit: limit) { [weak self] result in
            guard case .success(let page) = result, let self else {
                return answer(result.map { _ in part }.mapError { HostError($0) })
            }
            let listed = page.entries.filter(\.isListed)
            withStickers(of: listed, model) { [weak self] in
                var part = part
                part.bubbles.insert(contentsOf: listed.map { Self.bubble($0, model) }, at: 0)
                part.next = page.next
                let rest = rest - page.entries.count
                guard part.bubbles.count < count, page.next != nil, rest > 0 else {
                    return answer(.success(part))
                }
                self?.read(model, last: count, before: part, opening: rest, answer)
            }
        }
    }

    /// Has the model read the stickers on messages and the reactions to them, and goes on.
    func withStickers(
        of entries: [TranscriptEntry],
        _ model: ConversationModel,
        _ goOn: @escaping @MainActor () -> Void
    ) {
        let targets = entries.flatMap { entry -> [AdditionTarget] in
            guard case .message(let message) = entry else { return [] }
            return [.message(message.id), .session(message.session)]
        }
        let shown = entries.compactMap(\.message)
        matches.readAdditions(to: shown.filter { $0.content?.match != nil }, model)
        let count = 2 * PlacedSticker.countMax
        node.sides(on: targets, last: count, in: model.name) { result in
            if case .success(let stickers) = result { model.read(stickers) }
            goOn()
        }
    }

    /// Sends a message; when the answer comes, transcripts are read again.
    func send(
        _ draft: Draft,
        to conversation: String,
        _ answer: @escaping @MainActor (Result<SentMessage, NodeError>) -> Void
    ) {
        node.send(draft, to: conversation) { [weak self] result in
            self?.recent.changed(conversation)
            answer(result)
        }
    }

    static func bubble(_ entry: TranscriptEntry, _ model: ConversationModel) -> Bubble {
        switch entry {
        case .message(let message):
            // The match stands where it stood before a message against its rules.
            let legal = message.fault.flatMap { _ in model.sessions[message.session]?.shown }
            return Bubble(
                message,
                isMine: message.sender.id == model.me.id,
                names: model.names,
                isMyTurn: model.isTurn(after: message),
                stickers: model.stickers.on(message.id),
                reactions: model.reactions(to: message),
                match: model.match(of: legal ?? message),
                reason: model.reason(against: message)
            )
        case .summary(let summary):
            return Bubble(summary, isMine: summary.sender.id == model.me.id, names: model.names)
        }
    }
}

/// The last entries of transcripts that were read, each until something of its conversation
/// changes.
struct RecentBubbles {
    private var bubbles: [String: (count: Int, bubbles: [Bubble])] = [:]
    /// The number of changes of each conversation.
    private var stamps: [String: UInt64] = [:]
    private var lastStamp: UInt64 = 0

    /// The last `count` entries, if they are known.
    func bubbles(of conversation: String, last count: Int) -> [Bubble]? {
        guard let found = bubbles[conversation], found.count == count else { return nil }
        return found.bubbles
    }

    /// Something in the conversation may have changed.
    mutating func changed(_ conversation: String) {
        bubbles[conversation] = nil
        lastStamp += 1
        stamps[conversation] = lastStamp
    }

    /// Something in any conversation may have changed.
    mutating func allChanged() {
        for conversation in stamps.keys { changed(conversation) }
    }

    /// A number that another change of the conversation changes; ask for it before reading.
    mutating func stamp(of conversation: String) -> UInt64 {
        if let stamp = stamps[conversation] { return stamp }
        changed(conversation)
        return lastStamp
    }

    /// Keeps the bubbles that were read, unless the conversation has changed since.
    mutating func keep(_ found: [Bubble], of conversation: String, last count: Int, stamp: UInt64) {
        guard stamps[conversation] == stamp else { return }
        bubbles[conversation] = (count, found)
    }

    /// Forgets all conversations but these.
    mutating func keep(_ conversations: Set<String>) {
        bubbles = bubbles.filter { conversations.contains($0.key) }
        stamps = stamps.filter { conversations.contains($0.key) }
    }
}
