/// The pairings that people were told of: those that have not ended, and the last that have.
package struct ReportedPairings {
    /// The pairings that have not ended, by ID.
    private var open: [String: PairingState] = [:]
    /// The last ended pairings, for people who look later.
    private var ended: [PairingState] = []

    /// Pairings that have ended and are still listed.
    package static let endedMax = 8

    package init() {}

    /// A pairing has come to another stage.
    ///
    /// Joining takes a while, and the next pairing with the device may have begun meanwhile. Then
    /// the end of the earlier pairing is not news. `isUnderWay` says whether the machine is pairing
    /// with the device.
    ///
    /// - Returns: whether people are told.
    package mutating func changed(_ state: PairingState, isUnderWay: Bool) -> Bool {
        if state.hasEnded, isUnderWay { return false }
        open[state.id] = state.hasEnded ? nil : state
        forget(state.id)
        if state.hasEnded {
            ended.append(state)
            if ended.count > Self.endedMax { ended.removeFirst() }
        }
        return true
    }

    /// Lists an ended pairing no longer.
    package mutating func forget(_ id: String) { ended.removeAll { $0.id == id } }

    /// All pairings; `present` are those of the machine.
    ///
    /// A pairing that has brought an invite is over for the machine, but is reported as ended only
    /// when the conversation is on disk.
    package func all(with present: [PairingState]) -> [PairingState] {
        let joining = open.values.filter { open in !present.contains { $0.id == open.id } }
            .sorted { $0.id < $1.id }
        let known = present + joining
        return known + ended.filter { ended in !known.contains { $0.id == ended.id } }
    }
}
