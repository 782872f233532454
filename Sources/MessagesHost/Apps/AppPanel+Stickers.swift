public import Foundation
import Messages
public import ParleyNode

/// A sticker in the input field, which a person can send, or place on a message.
public struct StagedSticker: Hashable, Sendable, Identifiable {
    /// The session of the sticker when it is sent.
    public let id: SessionID
    /// The text that a screen reader speaks.
    public let description: String
    /// The picture file.
    public let picture: Data
}

/// Stickers in the input field.
extension AppPanel {
    /// The stickers in the input field, in the order in which they were inserted.
    public var stickers: [StagedSticker] {
        field.items.compactMap { item in
            guard item.isSticker, let picture = item.picture else { return nil }
            return StagedSticker(
                id: item.session,
                description: item.content.accessibilityLabel ?? "",
                picture: picture.bytes
            )
        }
    }

    /// Places a sticker of the input field on a message.
    ///
    /// If the node refuses it, the sticker goes back into the field.
    ///
    /// - Parameters:
    ///   - sticker: The ID of the staged sticker.
    ///   - placement: The message, which is shown or another head of a conflict, and the position.
    ///   - done: Called once the placement is stored, or with the failure.
    /// - Throws: `nothingThere` if the field does not have the sticker; `unknownMessage` if no
    ///   sticker can be placed on the message.
    public func place(
        _ sticker: SessionID,
        at placement: Placement,
        _ done: (@MainActor (Result<SentMessage, HostError>) -> Void)? = nil
    ) throws(HostError) {
        let index = field.items.firstIndex { $0.isSticker && $0.session == sticker }
        guard let index else { throw .nothingThere }
        let target = model.head(placement.message)
        guard let target, target.isListed, !target.isEnd else {
            throw .unknownMessage(placement.message.description)
        }
        let item = field.items.remove(at: index)
        let draft = OutgoingMessage.placed(item, at: placement)
        host.send(draft, to: conversation) { [weak self] result in
            if case .failure = result { self?.field.items.append(item) }
            self?.changed()
            done?(result.mapError { HostError($0) })
        }
        changed()
    }

    /// The same, awaited; a message that the host does not remember is read from the node.
    public func place(
        _ sticker: SessionID,
        at placement: Placement
    ) async throws(HostError) -> SentMessage {
        await withCheckedContinuation { done in
            host.head(placement.message, of: model) { _ in done.resume() }
        }
        return try await HostError.awaited { (done) throws(HostError) in
            try place(sticker, at: placement, done)
        }
    }
}

extension AppHost {
    /// Peels a sticker off that this device has placed.
    ///
    /// - Parameters:
    ///   - sticker: The session of the sticker.
    ///   - conversation: The name of the conversation.
    ///   - done: Called once this is stored, or with the failure: `unknownMessage` if there is no
    ///     such sticker, `refused` if somebody else has placed it.
    public func peelOff(
        _ sticker: SessionID,
        in conversation: String,
        _ done: @escaping @MainActor (Result<SentMessage, HostError>) -> Void
    ) {
        models.model(of: conversation) { [weak self] result in
            guard case .success(let model) = result, let self else {
                return done(result.flatMap { _ in .failure(.nothingThere) })
            }
            guard let placed = model.stickers[sticker] else {
                return done(.failure(.unknownMessage(sticker.description)))
            }
            guard placed.isMine else {
                let text = "Only who placed a sticker can peel it off."
                return done(.failure(.refused(.unknown, text)))
            }
            let draft = OutgoingMessage.takenBack(sticker, app: OutgoingMessage.stickerApp)
            send(draft, to: conversation) { done($0.mapError { HostError($0) }) }
        }
    }

    /// The same, awaited.
    public func peelOff(
        _ sticker: SessionID,
        in conversation: String
    ) async throws(HostError) -> SentMessage {
        try await HostError.awaited { peelOff(sticker, in: conversation, $0) }
    }

    /// The session of a message, if it is a head of a conversation of which something was read.
    package func session(of message: MessageID, in conversation: String) async -> SessionID? {
        guard let model = models[conversation] else { return nil }
        return await withCheckedContinuation { done in
            head(message, of: model) { done.resume(returning: $0?.session) }
        }
    }
}

extension Draft {
    fileprivate var isSticker: Bool { content.app == OutgoingMessage.stickerApp }
}
