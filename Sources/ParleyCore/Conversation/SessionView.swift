/// A session as people and programs see it.
package struct SessionView: Sendable {
    package let conversation: UInt32
    package let tag: SessionTag
    package let row: Int64
    /// The feed position of the latest change.
    package let position: UInt64
    /// The heads, the shown one first.
    package var heads: [HeadView]
    package let lines: [ShownLine]
    /// The turn game of the session; nil if there is none.
    package let match: MatchView?

    /// The line of the message that was shown before the message `dot`; nil if none is known.
    package func line(before dot: Dot) -> ShownLine? {
        if heads.first?.dot == dot { return lines.last }
        return lines.firstIndex { $0.dot == dot }.flatMap { $0 == 0 ? nil : lines[$0 - 1] }
    }
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

extension HeadView {
    init(_ head: Head, _ record: HeadRecord, author: AuthorView?) {
        self.init(
            dot: head.dot,
            revision: head.revision,
            next: record.next,
            blobs: record.blobs,
            isTombstone: record.isTombstone,
            envelope: record.envelope,
            author: author
        )
    }

    /// The view of an envelope that is no head any more.
    package init(_ header: EnvelopeHeader, envelope: Slice, author: AuthorView?) {
        self.init(
            dot: header.dot,
            revision: header.revision,
            next: header.next,
            blobs: header.blobs,
            isTombstone: header.isTombstone,
            envelope: envelope,
            author: author
        )
    }
}

/// The device and the participant that wrote an envelope.
package struct AuthorView: Sendable, Equatable {
    /// The device, or the ID of a guest's key.
    package let device: DeviceID
    package let participant: ParticipantID
    /// The device that has the guest; nil for a device that writes by itself.
    package let host: DeviceID?

    package init(device: DeviceID, participant: ParticipantID, host: DeviceID? = nil) {
        self.device = device
        self.participant = participant
        self.host = host
    }
}
