/// The sessions of a conversation with a sticker among their heads.
struct StickerTable: Sendable {
    /// The message under each sticker, by the dot of the head.
    private var messages: [Dot: Dot] = [:]
    /// The sessions of the stickers on each message, in order of arrival.
    private var sessions: [Dot: Few<Int32>] = [:]

    /// Notes that the head of a session is a sticker on a message.
    mutating func place(_ head: Dot, of session: Int32, on message: Dot) {
        guard messages.updateValue(message, forKey: head) == nil else { return }
        sessions[message, default: []].append(session)
    }

    /// Forgets a head that was replaced or dropped.
    mutating func remove(_ head: Dot, of session: Int32) {
        guard !messages.isEmpty, let message = messages.removeValue(forKey: head),
            var others = sessions[message], let index = others.firstIndex(of: session)
        else { return }
        others.remove(at: index)
        sessions[message] = others.isEmpty ? nil : others
    }

    /// The sessions with the latest stickers on a message, at most `count`.
    func sessions(on message: Dot, last count: Int) -> [Int32] {
        sessions[message]?.suffix(count) ?? []
    }
}
