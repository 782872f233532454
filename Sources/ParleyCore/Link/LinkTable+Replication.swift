/// What concerns the replications of all links.
extension LinkTable {
    /// An envelope came: no peer misses it here any more, nor what it replaces.
    package mutating func settled(_ names: [EnvelopeName], of conversation: UInt32) {
        guard !names.isEmpty else { return }
        for index in indices {
            guard let replication = self[index].replication(of: conversation) else { continue }
            for name in names { self[index].replications[replication].settled(name) }
        }
    }

    /// An envelope that could not be taken is asked of nobody now, and comes again with a feed: so
    /// all peers that told of it start over.
    package mutating func hold(missing name: EnvelopeName, of conversation: UInt32) {
        for index in indices {
            guard let replication = self[index].replication(of: conversation) else { continue }
            self[index].replications[replication].hold(ifMissing: name)
        }
    }

    /// The envelopes of a row were read back.
    mutating func loaded(row: Int64) {
        for index in indices {
            for replication in self[index].replications.indices {
                self[index].replications[replication].loaded(row: row)
            }
        }
    }

    /// When each link brought something new last.
    var news: [LinkID: Moment] {
        var news: [LinkID: Moment] = [:]
        for index in indices { news[self[index].id] = self[index].broughtNews }
        return news
    }

    // MARK: Our disk

    /// Tells peers how much of their feeds is on disk.
    package mutating func confirm(issued: Ticket, committed: Ticket) {
        for index in indices {
            for replication in self[index].replications.indices {
                let stored = self[index].replications[replication]
                    .confirmation(issued: issued, committed: committed)
                if let stored { self[index].outbox.append(.stored(stored)) }
            }
        }
    }

    /// Whether a feed of a peer has come further here than the disk knows.
    package var haveUnsavedCursors: Bool {
        contains { $0.replications.contains { $0.unsavedCursor != nil } }
    }

    /// How far the feeds of the peers are here, where the disk does not know it; they are on their
    /// way there from now on.
    ///
    /// A link may carry a conversation that this node has just left: `isHere` tells.
    package mutating func takeUnsavedCursors(isHere: (UInt32) -> Bool) -> [PendingCursor] {
        var cursors: [PendingCursor] = []
        for index in indices {
            for replication in self[index].replications.indices {
                let number = self[index].replications[replication].conversation
                guard let cursor = self[index].replications[replication].unsavedCursor,
                    isHere(number)
                else { continue }
                self[index].replications[replication].saved(cursor)
                let peer = self[index].device
                cursors.append(PendingCursor(conversation: number, peer: peer, cursor: cursor))
            }
        }
        return cursors
    }

    // MARK: Addresses

    /// Tells a new member where the others are, and the others where it is.
    package mutating func exchangeAddresses(
        of conversation: UInt32,
        on index: Int,
        known: (DeviceID) -> [PeerAddress]
    ) {
        let others = indices.filter {
            $0 != index && self[$0].isMember && self[$0].replication(of: conversation) != nil
        }
        let theirs = others.flatMap { known(self[$0].device) }
        self[index].tell(theirs, of: conversation)
        let own = known(self[index].device)
        for other in others { self[other].tell(own, of: conversation) }
    }
}

extension Link {
    /// Tells the peer where other members of a conversation are.
    fileprivate mutating func tell(_ addresses: [PeerAddress], of conversation: UInt32) {
        guard let replication = replication(of: conversation), !addresses.isEmpty else { return }
        let frame = PeerAddresses(
            conversation: replications[replication].ownNumber,
            peers: Array(addresses.prefix(Limits.peerAddresses))
        )
        outbox.append(.peers(frame))
    }
}
