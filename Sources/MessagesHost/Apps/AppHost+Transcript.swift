import ParleyNode

/// Transcripts as people see them.
extension AppHost {
    typealias BubblesAnswer = @MainActor (Result<[Bubble], HostError>) -> Void

    /// Reads the transcript, oldest entries first.
    public func bubbles(
        of conversation: String,
        _ answer: @escaping @MainActor (Result<[Bubble], HostError>) -> Void
    ) {
        models.model(of: conversation) { [weak self] result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let model):
                self?.node.transcript(of: conversation) { answer(Self.bubbles($0, model)) }
            }
        }
    }

    /// The same, awaited.
    public func bubbles(of conversation: String) async throws(HostError) -> [Bubble] {
        let result = await withCheckedContinuation { done in
            bubbles(of: conversation) { done.resume(returning: $0) }
        }
        return try result.get()
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
        let result = await withCheckedContinuation { done in
            bubbles(of: conversation, last: count) { done.resume(returning: $0) }
        }
        return try result.get()
    }

    private func read(
        _ model: ConversationModel,
        last count: Int,
        _ answer: @escaping BubblesAnswer
    ) {
        let stamp = recent.stamp(of: model.name)
        entries(of: model, last: count, asking: count) { [weak self] result in
            let found = Self.bubbles(result, model)
            if case .success(let bubbles) = found {
                self?.recent.keep(bubbles, of: model.name, last: count, stamp: stamp)
            }
            answer(found)
        }
    }

    /// Reads the last entries that are listed, at most `count`: asks for the last `asked` entries,
    /// and for more as long as too many of them are stickers on messages.
    private func entries(
        of model: ConversationModel,
        last count: Int,
        asking asked: Int,
        _ answer: @escaping @MainActor (Result<[TranscriptEntry], NodeError>) -> Void
    ) {
        node.transcript(of: model.name, last: asked, skipping: 0) { [weak self] result in
            guard case .success(let entries) = result else { return answer(result) }
            let listed = entries.filter(\.isListed)
            guard listed.count < count, entries.count >= asked, let self else {
                return answer(.success(listed.suffix(count)))
            }
            self.entries(of: model, last: count, asking: asked * 2, answer)
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

    private static func bubbles(
        _ entries: Result<[TranscriptEntry], NodeError>,
        _ model: ConversationModel
    ) -> Result<[Bubble], HostError> {
        entries.map { $0.filter(\.isListed).map { bubble($0, model) } }.mapError { HostError($0) }
    }

    static func bubble(_ entry: TranscriptEntry, _ model: ConversationModel) -> Bubble {
        switch entry {
        case .message(let message):
            Bubble(
                message,
                isMine: message.sender.id == model.me.id,
                names: model.names,
                isMyTurn: model.isTurn(after: message),
                stickers: model.stickers.on(message.id)
            )
        case .summary(let summary):
            Bubble(summary, isMine: summary.sender.id == model.me.id, names: model.names)
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

    /// Keeps what was read, unless the conversation has changed since.
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
