/// A session as people and programs see it.
package struct SessionView: Sendable {
    package let conversation: UInt32
    package let tag: SessionTag
    package let row: Int64
    /// The feed position of its latest change.
    package let position: UInt64
    /// The heads, the shown one first.
    package var heads: [HeadView]
    package let lines: [ShownLine]
}

/// A head with its author.
package struct HeadView: Sendable {
    package let dot: Dot
    package let revision: UInt64
    package let next: [ParticipantID]
    package let blobs: [BlobReference]
    package let isTombstone: Bool
    /// Nil while only the store has the bytes.
    package var envelope: Slice?
    package let author: AuthorView?
}

/// The device and the participant that wrote an envelope.
package struct AuthorView: Sendable, Equatable {
    package let device: DeviceID
    package let participant: ParticipantID

    package init(device: DeviceID, participant: ParticipantID) {
        self.device = device
        self.participant = participant
    }
}
