import Foundation
import Synchronization

/// How far a message has come between its author and the network.
///
/// The host writes the status. The app's message object and the host's record share it, so the app
/// sees `isPending` change on its object.
package final class MessageStatus: Sendable {
    /// The status at one point in time.
    package struct State: Sendable {
        /// True until sending starts; false for messages of other participants.
        package var isPending: Bool
        /// The sender, or all zeros.
        package var sender: UUID
        /// The reason why sending failed.
        package var error: (any Error)?

        package init(isPending: Bool = true, sender: UUID = .zero, error: (any Error)? = nil) {
            self.isPending = isPending
            self.sender = sender
            self.error = error
        }

        /// The state without the error, as an archive keeps it.
        var withoutError: State { State(isPending: isPending, sender: sender) }
    }

    private let current: Mutex<State>

    package init(_ state: State = State()) {
        current = Mutex(state)
    }

    package var state: State { current.withLock { $0 } }

    /// Replaces the whole state.
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

    /// Sets the error with which sending failed; nil clears an earlier one.
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
    /// The UUID of all zeros, which stands for no participant.
    package static var zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
