/// An origin that a peer introduced to this node before any envelope of it arrived.
package struct IntroducedOrigin: Hashable, Sendable {
    package let conversation: UInt32
    package let id: OriginID

    package init(conversation: UInt32, id: OriginID) {
        self.conversation = conversation
        self.id = id
    }
}

/// An origin as a node knows it: the device behind it, and what was checked of its envelopes.
package struct OriginState: Sendable {
    package let record: OriginRecord
    package let device: DeviceID
    package let participant: ParticipantID
    package internal(set) var isStored: Bool
    /// The number of sessions whose first head on this node was of this origin; of sessions that
    /// were read back after a start, those whose shown head is.
    package internal(set) var sessions = 0
    var checkedBatches = CheckedBatches()
    var bodyKey: Bytes32?

    init(record: OriginRecord, device: DeviceID, participant: ParticipantID, isStored: Bool) {
        self.record = record
        self.device = device
        self.participant = participant
        self.isStored = isStored
    }
}
