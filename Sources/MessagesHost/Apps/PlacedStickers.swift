import ParleyNode

/// The stickers on messages of one conversation that were read or have changed last.
struct PlacedStickers {
    private var stickers: [SessionID: PlacedSticker] = [:]
    /// When each sticker was read or changed last, as a number that rises.
    private var uses: [SessionID: UInt64] = [:]
    private var lastUse: UInt64 = 0
    private var sessions: [MessageID: Set<SessionID>] = [:]

    /// The stickers that are remembered, more than a page has; for a while, twice as many may be.
    static let countMax = TranscriptPage.entriesMax * PlacedSticker.countMax

    /// The sticker of that session.
    subscript(session: SessionID) -> PlacedSticker? { stickers[session] }

    /// The messages that have stickers, whether they are shown here or not.
    var messages: Set<MessageID> { Set(sessions.keys) }

    /// The stickers on a message, the oldest first; of too many the latest.
    func on(_ message: MessageID) -> [PlacedSticker] {
        let all = (sessions[message] ?? []).compactMap { stickers[$0] }
        return all.sorted {
            ($0.sentAt, $0.message.description) < ($1.sentAt, $1.message.description)
        }
        .suffix(PlacedSticker.countMax)
    }

    /// Notes the sticker of a session, or its absence; returns the messages whose stickers changed.
    mutating func set(_ sticker: PlacedSticker?, of session: SessionID) -> Set<MessageID> {
        let before = stickers[session]
        if sticker != nil { use(session) }
        guard before != sticker else { return [] }
        if let before {
            sessions[before.placement.message]?.remove(session)
            if sessions[before.placement.message]?.isEmpty ?? false {
                sessions[before.placement.message] = nil
            }
        }
        stickers[session] = sticker
        if sticker == nil { uses[session] = nil }
        if let sticker { sessions[sticker.placement.message, default: []].insert(session) }
        return Set([before, sticker].compactMap { $0?.placement.message })
    }

    private mutating func use(_ session: SessionID) {
        lastUse += 1
        uses[session] = lastUse
        // Forgetting half at once makes sorting rare.
        guard uses.count >= 2 * Self.countMax else { return }
        let old = uses.sorted { $0.value < $1.value }.dropLast(Self.countMax)
        for (session, _) in old { _ = set(nil, of: session) }
    }

    /// Notes that a sticker's picture has arrived; returns the messages whose stickers changed.
    mutating func pictureArrived(_ session: SessionID) -> Set<MessageID> {
        guard var sticker = stickers[session] else { return [] }
        sticker.picture = PictureInfo(
            sha256: sticker.picture.sha256,
            type: sticker.picture.type,
            bytes: sticker.picture.bytes,
            isHere: true
        )
        return set(sticker, of: session)
    }
}
