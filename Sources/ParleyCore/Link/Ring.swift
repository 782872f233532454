/// The ring of the members of a conversation, in the order of their device IDs.
///
/// Each member keeps links to the members at certain distances, its neighbours and its *fingers*.
/// Nodes that know the same members come to the same links without a message, and so do both sides
/// of a link. As each distance is a multiple of the one before, every member is reached over a few
/// links; the neighbours alone connect all.
///
/// A member needs both neighbours and the two fingers next to them. Of the two fingers at each
/// further distance, a member needs only one, as every link costs at least one frame for each
/// message. A link is kept if either side needs it.
///
/// The ring and its fingers are those of Chord (I. Stoica, R. Morris, D. Karger, M. F. Kaashoek,
/// H. Balakrishnan: "Chord: A Scalable Peer-to-Peer Lookup Service for Internet Applications",
/// SIGCOMM 2001). There a finger is the first member behind a distance in the space of IDs, for
/// look-ups by key. Here distances count members, as every node knows all, and each distance is
/// four times the one before. The fingers only spread messages: nothing is looked up.
package struct Ring: Sendable, Equatable {
    /// Up to this many others, every member has a link to every other.
    package static let fullMax = 7
    /// Up to this many others, a mesh that has let links go becomes a full mesh again.
    package static let fullAgainMax = 6
    /// The factor from one distance to the next.
    package static let step = 4

    private let own: DeviceID
    /// The other devices, ascending from the own device on.
    private let others: [DeviceID]

    /// The ring of a device and the other members, in any order.
    package init(of own: DeviceID, and members: some Sequence<DeviceID>) {
        var sorted: [DeviceID] = []
        for device in members.sorted() where device != own && device != sorted.last {
            sorted.append(device)
        }
        let start = sorted.firstIndex { own < $0 } ?? 0
        self.own = own
        others = Array(sorted[start...] + sorted[..<start])
    }

    /// The devices before and after the own device; a single device in a ring of two.
    package var neighbours: [DeviceID] {
        guard let before = others.last, let after = others.first else { return [] }
        return before == after ? [after] : [before, after]
    }

    /// The devices to link to; `wasPartial` says whether a link to a member was let go before.
    package func wanted(wasPartial: Bool) -> [DeviceID] {
        guard others.count > (wasPartial ? Self.fullAgainMax : Self.fullMax) else { return others }
        // The own device is at distance 0, and at that of the whole ring.
        let count = others.count + 1
        var wanted: [DeviceID] = []
        var distance = 1
        while distance <= count / 2 {
            let after = others[distance - 1]
            let before = others[count - distance - 1]
            let areBoth = distance <= Self.step || before == after
            if areBoth || Self.isNeeded(from: own, to: after) { wanted.append(after) }
            if before != after, areBoth || Self.isNeeded(from: before, to: own) {
                wanted.append(before)
            }
            distance *= Self.step
        }
        return wanted
    }

    /// Whether either of two members needs the link between them: `end` is a further finger of
    /// `start`, and after it in the ring.
    private static func isNeeded(from start: DeviceID, to end: DeviceID) -> Bool {
        needsAfter(start) || !needsAfter(end)
    }

    /// Whether a member needs the further fingers after it, rather than those before.
    ///
    /// Half of all devices do, as IDs are hashes.
    private static func needsAfter(_ device: DeviceID) -> Bool { device.hint.isMultiple(of: 2) }
}
