/// The amounts that a node keeps for its peers at a moment, and the limits of these amounts.
package struct NodeLoad: Sendable, Equatable {
    /// All links, also those to strangers.
    package var openLinks = 0
    /// Links to members.
    package var links = 0
    /// The most encoded bytes that wait for one link.
    package var outboxBytes = 0
    /// The most announced and unconfirmed envelopes on one link in one conversation.
    package var announced = 0
    /// The most missing envelopes on one link in one conversation.
    package var missing = 0
    /// The most wanted envelopes of one conversation.
    package var wants = 0
    /// The memory of announced envelopes on all links, in bytes.
    package var announcedBytes = 0
    /// Requests of authors that wait for a commit.
    package var requests = 0
    /// Envelope bytes that wait for the disk.
    package var commitBytes = 0
    /// Names of devices that are remembered.
    package var deviceNames = 0

    package static let outboxBytesMax = Outbox.bytesMax
    package static let announcedMax = OutgoingFeed.announcedMax
    package static let missingMax = IncomingFeed.missingMax
    package static let requestsMax = 4_096

    package init() {}
}

extension NodeMachine {
    /// The amounts that this node keeps for its peers now.
    package var load: NodeLoad {
        var load = NodeLoad()
        load.openLinks = links.count
        for link in links {
            if link.isMember { load.links += 1 }
            load.outboxBytes = max(load.outboxBytes, link.outbox.pending)
            for replication in link.replications {
                load.announced = max(load.announced, replication.announcedCount)
                load.missing = max(load.missing, replication.missingCount)
                load.announcedBytes += replication.announcedBytes
            }
        }
        for conversation in conversations {
            load.wants = max(load.wants, conversation.wants.count)
            load.announcedBytes += conversation.wants.count * WantTable.wantBytes
        }
        load.requests = author.waiting.count
        load.commitBytes = commits.pendingBytes
        load.deviceNames = links.nameCount
        return load
    }
}
