/// What a data directory holds besides the sessions, read once when a node starts.
package struct Recovery: Sendable, Equatable {
    package var epoch: Epoch?
    /// In the order of their numbers.
    package var conversations: [RecoveredConversation] = []
    /// The lowest number that no conversation ever had.
    package var nextConversationNumber: UInt32 = 1
    package var blobs: [BlobID: RecoveredBlob] = [:]
    /// Addresses at which members were reached, the latest last.
    package var addresses: [RememberedAddress] = []
    /// What members call their devices.
    package var deviceNames: [DeviceID: String] = [:]

    package init() {}
}

/// A conversation with what belongs to it.
package struct RecoveredConversation: Sendable, Equatable {
    package let record: ConversationRecord
    package var origins: [OriginID: OriginRecord] = [:]
    /// In the order in which they started.
    package var incarnations: [FeedIncarnation] = []
    package var cursors: [DeviceID: FeedCursor] = [:]
    /// Own sequences below this may have been used.
    package var sequencesReservedEnd: UInt64 = 1

    package init(record: ConversationRecord) {
        self.record = record
    }
}

/// What of a blob is on disk.
package struct RecoveredBlob: Sendable, Equatable {
    package var isComplete: Bool
    /// The indices of the chunks that are here, when it is not complete.
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
