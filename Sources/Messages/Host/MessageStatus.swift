import Foundation
import Synchronization

/// Where a message stands between its author and the network; the host writes it, the app reads it.
///
/// It is shared by the message that the app made and by what the host keeps of it, so that the app
/// sees `isPending` change on the very object that it handed over.
package final class MessageStatus: Sendable {
    /// All that is known at one time.
    package struct State: Sendable {
        /// True until sending starts; false for what others sent.
        package var isPending: Bool
        /// The sender, or all zeros.
        package var sender: UUID
        /// Why sending failed.
        package var error: (any Error)?

        package init(isPending: Bool = true, sender: UUID = .zero, error: (any Error)? = nil) {
            self.isPending = isPending
            self.sender = sender
            self.error = error
        }

        /// The same without what happened on the way: what an archive keeps.
        var withoutError: State { State(isPending: isPending, sender: sender) }
    }

    private let current: Mutex<State>

    package init(_ state: State = State()) {
        current = Mutex(state)
    }

    package var state: State { current.withLock { $0 } }

    /// Replaces everything.
    package func become(_ state: State) {
        current.withLock { $0 = state }
    }

    /// The message lies in the input field of `sender`.
    package func staged(by sender: UUID) {
        become(State(isPending: true, sender: sender))
    }

    /// Sending started.
    package func sent(by sender: UUID) {
        become(State(isPending: false, sender: sender))
    }

    /// Sending failed, or with nil: it did not.
    package func failed(_ error: (any Error)?) {
        current.withLock { $0.error = error }
    }
}

extension MessageStatus.State: Codable {
    private enum CodingKeys: String, CodingKey {
        case isPending
        case sender
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        isPending = try values.decode(Bool.self, forKey: .isPending)
        sender = try values.decode(UUID.self, forKey: .sender)
        error = nil
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(isPending, forKey: .isPending)
        try values.encode(sender, forKey: .sender)
    }
}

extension UUID {
    /// The identifier that names nobody.
    package static var zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
