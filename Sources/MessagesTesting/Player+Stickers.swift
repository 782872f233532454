public import MessagesHost
public import ParleyNode

/// Stickers on messages.
extension Player {
    /// The stickers in the input field.
    public var stickers: [StagedSticker] { panel?.stickers ?? [] }

    /// Places the first sticker of the input field on the latest message whose line contains
    /// `text`.
    ///
    /// - Parameters:
    ///   - text: A part of the message's line.
    ///   - x: The position from the left edge of the bubble, 0 to 10,000.
    ///   - y: The same from the upper edge.
    /// - Throws: `noSuchMessage`, or the refusal of the host.
    public func placeSticker(on text: String, x: Int, y: Int) throws(HarnessError) {
        guard let panel else { throw .appIsClosed }
        let target = bubbles.last { $0.kind == .message && $0.line.contains(text) }
        guard let target, let placement = Placement(on: target.id, x: x, y: y) else {
            throw .noSuchMessage(text, transcript: transcript)
        }
        guard let sticker = panel.stickers.first else { throw .host(.nothingThere) }
        var answer: Result<SentMessage, HostError>?
        let result = act {
            Result { () throws(HostError) in
                try panel.place(sticker.id, at: placement) { answer = $0 }
            }
        }
        table?.settle()
        for case .failure(let error)? in [result, answer?.map { _ in }] { throw .host(error) }
    }

    /// Peels a sticker off.
    ///
    /// - Throws: the refusal of the host, for example of a sticker that somebody else has placed.
    public func peelOff(_ sticker: SessionID) throws(HarnessError) {
        var answer: Result<SentMessage, HostError>?
        act { host.peelOff(sticker, in: Harness.conversation) { answer = $0 } }
        table?.settle()
        if case .failure(let error)? = answer { throw .host(error) }
    }
}
