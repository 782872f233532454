/// The contents of a data directory without the sessions, read once when a node starts.
package struct Recovery: Sendable, Equatable {
    /// The device that was recorded last; nil in a new directory or one of an earlier version.
    package var device: DeviceID?
    package var epoch: Epoch?
    /// The conversations in the order of their numbers.
    package var conversations: [RecoveredConversation] = []
    /// The lowest number that no conversation ever had.
    package var nextConversationNumber: UInt32 = 1
    package var blobs: [BlobID: RecoveredBlob] = [:]
    /// Addresses at which members were reached, the latest last.
    package var addresses: [RememberedAddress] = []
    /// The names that members gave their devices.
    package var deviceNames: [DeviceID: String] = [:]
    /// The corrections of these values by the shell after they were read, for the first commit.
    package var corrections: [StoreWrite] = []

    package init() {}
}

/// A conversation as the data directory has it, without its sessions.
package struct RecoveredConversation: Sendable, Equatable {
    package var record: ConversationRecord
    package var origins: [OriginID: OriginRecord] = [:]
    /// The incarnations in the order in which they started.
    package var incarnations: [FeedIncarnation] = []
    package var cursors: [DeviceID: FeedCursor] = [:]
    /// Own sequences below this may have been used.
    package var sequencesReservedEnd: UInt64 = 1

    package init(record: ConversationRecord) {
        self.record = record
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

/// An address that worked, as text.
package struct RememberedAddress: Sendable, Hashable {
    package let device: DeviceID
    package let text: String

    package init(device: DeviceID, text: String) {
        self.device = device
        self.text = text
    }
}
