/// Who stands behind an origin, and what of it is here.
package struct OriginState: Sendable {
    package let record: OriginRecord
    package let device: DeviceID
    package let participant: ParticipantID
    package internal(set) var isStored: Bool
    /// Sessions whose first head here was this origin's.
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
