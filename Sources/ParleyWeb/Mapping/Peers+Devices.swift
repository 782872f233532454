package import ParleyNode

extension [Peer] {
    /// The rows with one for each device, at the place of the first.
    ///
    /// Two nodes that have found each other at several addresses have several links for a moment.
    package var oneOfEachDevice: [Peer] {
        var places: [String: Int] = [:]
        var rows: [Peer] = []
        for peer in self {
            let key = peer.device.isEmpty ? peer.address : peer.device
            guard let place = places[key] else {
                places[key] = rows.count
                rows.append(peer)
                continue
            }
            if rows[place].conversations.isEmpty { rows[place] = peer }
        }
        return rows
    }
}
