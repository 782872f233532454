/// The ring of the members of a conversation.
extension LinkTable {
    /// Chooses for each conversation the two links on which this node tells soon what the peers
    /// most likely have from others: those to the nearest devices, on either side, in the ring of
    /// the device IDs of all members that have a link here and answer.
    ///
    /// In a full mesh, each member is the neighbour of two others.
    mutating func chooseNeighbours(at now: Moment) {
        guard areNeighboursStale else { return }
        areNeighboursStale = false
        var members: [UInt32: [DeviceID]] = [:]
        for index in indices where self[index].isLive {
            for number in self[index].conversations {
                members[number, default: []].append(self[index].device)
            }
        }
        let neighbours = members.mapValues { Self.neighbours(of: own.device, among: $0) }
        for index in indices {
            let device = self[index].device
            let isFirst = own.device < device
            self[index]
                .forEachReplication { replication in
                    let chosen = neighbours[replication.conversation] ?? []
                    let delay = TellDelay(isNeighbour: chosen.contains(device), isFirst: isFirst)
                    replication.tells(after: delay, at: now)
                }
        }
    }

    /// The devices before and after `device` in the ring of the IDs of `members`.
    package static func neighbours(of device: DeviceID, among members: [DeviceID]) -> [DeviceID] {
        let others = members.filter { $0 != device }
        let after = others.filter { device < $0 }.min() ?? others.min()
        let before = others.filter { $0 < device }.max() ?? others.max()
        guard let after, let before else { return [] }
        return after == before ? [after] : [before, after]
    }
}
