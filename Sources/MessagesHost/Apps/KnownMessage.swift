import Foundation
import Messages
import ParleyNode

/// A message that an app got or handed over, with the host's record of it.
@MainActor
final class KnownMessage {
    let key: MessageKey
    /// The object that the app gets.
    private(set) var message: MSMessage
    let status: MessageStatus
    private var contents: MessageContents
    /// The draft to send; nil for messages of other participants.
    var draft: Draft?
    /// The ID of the message, once it is sent.
    var id: MessageID?
    var delivery = DeliveryState.pending

    init(key: MessageKey, contents: MessageContents, status: MessageStatus) {
        self.key = key
        self.status = status
        self.contents = contents
        message = MSMessage(contents, status: status)
    }

    /// Records that the app hands the message over again, perhaps with other contents.
    ///
    /// From then on the message is a draft, even if it was an entry of the transcript before.
    func handedOver(_ contents: MessageContents) {
        self.contents = contents
        id = nil
        renew()
    }

    /// Makes a new message object for the app, as the app may have changed the previous one.
    func renew() {
        message = MSMessage(contents, status: status)
    }
}

/// The messages that an app knows; beyond a limit, the oldest are forgotten unless they are in use.
@MainActor
struct KnownMessages {
    private var byKey: [MessageKey: KnownMessage] = [:]
    private var order: [MessageKey] = []
    private var lastKey: UInt64 = 0

    /// The most messages that are remembered.
    static let countMax = 512

    subscript(key: MessageKey) -> KnownMessage? { byKey[key] }

    subscript(id: MessageID) -> KnownMessage? { byKey.values.first { $0.id == id } }

    subscript(message: MSMessage) -> KnownMessage? {
        byKey.values.first { $0.status === message.status }
    }

    subscript(status: MessageStatus) -> KnownMessage? {
        byKey.values.first { $0.status === status }
    }

    /// Adds a message, and forgets old ones beyond the limit except those in `kept`.
    mutating func add(
        _ contents: MessageContents,
        _ status: MessageStatus,
        keeping kept: Set<MessageKey>
    ) -> KnownMessage {
        lastKey += 1
        let known = KnownMessage(key: MessageKey(lastKey), contents: contents, status: status)
        byKey[known.key] = known
        order.append(known.key)
        while order.count > Self.countMax,
            let index = order.firstIndex(where: { !kept.contains($0) && $0 != known.key })
        {
            byKey[order.remove(at: index)] = nil
        }
        return known
    }
}
