/// The sessions of a conversation that have a sticker on a message as one of their heads.
struct StickerTable: Sendable {
    /// For each head that is a sticker, the message that it is on.
    private var messages: [Dot: Dot] = [:]
    /// For each of these messages the sessions of the stickers, in the order in which they came.
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

    /// The sessions with a sticker on the message that came last, at most `count`.
    func sessions(on message: Dot, last count: Int) -> [Int32] {
        sessions[message]?.suffix(count) ?? []
    }
}
