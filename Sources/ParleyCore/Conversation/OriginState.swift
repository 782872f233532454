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
    /// The number of its device among the writers; `noWriter` while no envelope of it is stored.
    var writer = Self.noWriter
    static let noWriter: Int32 = -1
    package internal(set) var checkedBatches = CheckedBatches()
    var bodyKey: Bytes32?

    init(record: OriginRecord, device: DeviceID, participant: ParticipantID) {
        self.record = record
        self.device = device
        self.participant = participant
    }

    /// Whether an envelope of it is, or was, stored.
    package var isStored: Bool { writer != Self.noWriter }
}
