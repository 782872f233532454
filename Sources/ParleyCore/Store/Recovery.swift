/// The contents of a data directory without the sessions, read once when a node starts.
package struct Recovery: Sendable, Equatable {
    /// The recorded device; nil in a new directory or one of an earlier version.
    package var device: DeviceID?
    package var epoch: Epoch?
    /// Ascending by number.
    package var conversations: [RecoveredConversation] = []
    /// The lowest number that no conversation ever had.
    package var nextConversationNumber: UInt32 = 1
    package var blobs: [BlobID: RecoveredBlob] = [:]
    /// Addresses at which members were reached, the latest last.
    package var addresses: [RememberedAddress] = []
    /// The names that members gave their devices.
    package var deviceNames: [DeviceID: String] = [:]
    /// The shell's corrections of these values after reading, for the first commit.
    package var corrections: [StoreWrite] = []

    package init() {}
}

/// A conversation in the data directory, without its sessions.
package struct RecoveredConversation: Sendable, Equatable {
    package var record: ConversationRecord
    package var origins: [OriginID: OriginRecord] = [:]
    /// Oldest first.
    package var incarnations: [FeedIncarnation] = []
    package var cursors: [DeviceID: FeedCursor] = [:]
    /// Own sequences below this may have been used.
    package var sequencesReservedEnd: UInt64 = 1
    /// The seats of guests, ascending by number.
    package var seats: [GuestSeat] = []
    package var members: [MemberRecord: Slice] = [:]

    package init(record: ConversationRecord) {
        self.record = record
    }

    /// Puts a guest at a seat, or empties the seat.
    package mutating func place(_ guest: GuestSeat?, at number: SeatNumber) {
        seats.removeAll { $0.number == number }
        guard let guest else { return }
        seats.append(guest)
        seats.sort { $0.number < $1.number }
    }
}

/// The parts of a blob that are on disk.
package struct RecoveredBlob: Sendable, Equatable {
    package var isComplete: Bool
    /// The indices of the chunks on disk, if the blob is not complete.
    package var chunks: Set<Int>

    package init(isComplete: Bool, chunks: Set<Int>) {
        self.isComplete = isComplete
        self.chunks = chunks
    }
}

/// The text of an address that led to a member.
package struct RememberedAddress: Sendable, Hashable {
    package let device: DeviceID
    package let text: String

    package init(device: DeviceID, text: String) {
        self.device = device
        self.text = text
    }
}
