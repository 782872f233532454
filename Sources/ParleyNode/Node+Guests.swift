package import Foundation
import ParleyCore
package import ParleyValues

/// The guests of a node: people without a node, who write in one conversation.
extension Node {
    /// The guests in a conversation, or in all without a name, ascending by seat.
    ///
    /// - Throws: `unknownConversation`, `stopped`.
    package func guests(of conversation: String? = nil) async throws(NodeError) -> [Guest] {
        try reader.guests(of: conversation)
    }

    /// Gives a guest a free seat.
    ///
    /// - Parameters:
    ///   - name: The name of the guest, 1 to 64 bytes.
    ///   - conversation: The name of the conversation on this node.
    ///   - secretHash: SHA-256 of the secret of the guest's browser, 32 bytes.
    ///   - countMax: The most guests of this node in the conversation, at most `Guest.countMax`.
    /// - Returns: the guest, whose seat is on disk.
    /// - Throws: `unknownConversation`, `readOnly`, `badName`, `tooManyGuests`, `storeFull`,
    ///   `storeFailed`, `stopped`.
    package func seat(
        _ name: String,
        in conversation: String,
        secretHash: [UInt8],
        countMax: Int = Guest.countMax
    ) async throws(NodeError) -> Guest {
        let change = try reader.newGuest(
            name,
            in: conversation,
            secretHash: secretHash,
            countMax: countMax,
            isRelay: settings.isRelay
        )
        return try await make(change, in: conversation)
    }

    /// Gives a guest another name or the browser another secret.
    ///
    /// - Throws: `unknownGuest` if the guest has no seat any more, `badName`, `storeFull`,
    ///   `storeFailed`, `stopped`.
    package func change(
        _ guest: Guest,
        name: String? = nil,
        secretHash: [UInt8]? = nil
    ) async throws(NodeError) -> Guest {
        let change = try reader.changed(guest, name: name, secretHash: secretHash)
        return try await make(change, in: guest.conversation)
    }

    /// Takes a seat from its guest, whose messages stay and whose key is deleted.
    ///
    /// - Throws: `unknownGuest`, `storeFailed`, `stopped`.
    package func remove(_ guest: Guest) async throws(NodeError) {
        try await running().make(try reader.emptied(guest))
        await endUploads(by: guest)
    }

    /// Sends a message of a guest, who is named as a participant; otherwise as `send`.
    ///
    /// - Throws: `unknownGuest` if the guest has no seat any more.
    package func send(
        _ draft: Draft,
        to conversation: String,
        as guest: UUID
    ) async throws(NodeError) -> SentMessage {
        try await running().send(draft, to: conversation, as: guest, wait: .stored)
    }

    /// Tells the members something about a game that no node keeps.
    ///
    /// Beyond 4 a second, signals of a device and its guests are dropped.
    ///
    /// - Throws: `unknownConversation`, `unreadable`, `stopped`.
    package func signal(
        _ kind: SignalKind,
        about session: SessionID,
        in conversation: String,
        as guest: UUID?
    ) throws(NodeError) {
        let signal = try reader.request(kind, about: session, in: conversation, as: guest)
        try running().assumeIsolated { $0.feed(signal) }
    }

    /// Makes a change of a guest who stays.
    private func make(
        _ change: MessageReader.SeatChange,
        in conversation: String
    ) async throws(NodeError) -> Guest {
        try await running().make(change)
        let seat = Int(change.number.value)
        guard let guest = try reader.guests(of: conversation).first(where: { $0.seat == seat })
        else { throw .unknownGuest }
        return guest
    }
}
