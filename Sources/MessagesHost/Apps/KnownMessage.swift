import Foundation
import Messages
import ParleyNode

/// A message that an app has in its hands, and what the host knows of it.
@MainActor
final class KnownMessage {
    let key: MessageKey
    /// The object that the app gets.
    private(set) var message: MSMessage
    let status: MessageStatus
    private var contents: MessageContents
    /// What to send; nil for what others wrote.
    var draft: Draft?
    /// Its name, once it has one.
    var id: MessageID?
    var delivery = DeliveryState.pending

    init(key: MessageKey, contents: MessageContents, status: MessageStatus) {
        self.key = key
        self.status = status
        self.contents = contents
        message = MSMessage(contents, status: status)
    }

    /// The app hands the message over once more, perhaps with other contents.
    ///
    /// It is a draft from then on, and no entry of the transcript, whichever it was before.
    func handedOver(_ contents: MessageContents) {
        self.contents = contents
        id = nil
        renew()
    }

    /// The next object that the app gets has what the message has, whatever became of the last one.
    func renew() {
        message = MSMessage(contents, status: status)
    }
}

/// The messages that an app has in its hands, bounded: the oldest that nobody needs go first.
@MainActor
struct KnownMessages {
    private var byKey: [MessageKey: KnownMessage] = [:]
    private var order: [MessageKey] = []
    private var lastKey: UInt64 = 0

    /// Messages remembered.
    static let countMax = 512

    subscript(key: MessageKey) -> KnownMessage? { byKey[key] }

    subscript(id: MessageID) -> KnownMessage? { byKey.values.first { $0.id == id } }

    subscript(message: MSMessage) -> KnownMessage? {
        byKey.values.first { $0.status === message.status }
    }

    subscript(status: MessageStatus) -> KnownMessage? {
        byKey.values.first { $0.status === status }
    }

    /// Takes in a message; `kept` are not let go for it.
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
