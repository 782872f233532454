/// Agrees with the peer whether the link is needed.
extension Link {
    /// The age below which no link is let go, so that both sides catch up.
    package static let tenure = Interval.seconds(3)
    /// A link that is not settled is kept up to this age.
    package static let unsettledTenure = Interval.seconds(60)

    /// Whether the link has served its purpose, apart from blobs and pairings.
    func mayBeSpare(at now: Moment) -> Bool {
        guard openedAt + Self.tenure <= now, duplicate == nil else { return false }
        return openedAt + Self.unsettledTenure <= now || replications.allSatisfy(\.isSettled)
    }

    /// Tells the peer whether this side needs the link, and ends a link that neither side needs.
    mutating func tell(isSpare: Bool, into step: inout Step) {
        self.isSpare.here = isSpare
        // If the peer does not need the link either, closing it says so.
        if !isSpare || !self.isSpare.there { outbox.append(.spare(isSpare)) }
        endIfSpare(into: &step)
    }

    /// The peer says whether it needs the link.
    package mutating func spareReceived(_ isSpare: Bool, into step: inout Step) {
        self.isSpare.there = isSpare
        endIfSpare(into: &step)
    }

    private mutating func endIfSpare(into step: inout Step) {
        guard isSpare.here, isSpare.there else { return }
        close(saying: .spare, text: "reached through others", into: &step)
    }
}

extension Mesh.Member {
    /// The member at the other end of a link.
    init(_ link: Link) {
        self.init(link.device, sharing: link.conversations)
        isLive = link.isLive
        isSpare = link.isSpare.here
    }
}
