/// The amounts that a node keeps for its peers, and the limits.
package struct NodeLoad: Sendable, Equatable {
    /// All links, including links to strangers.
    package var openLinks = 0
    /// Links to members.
    package var links = 0
    /// The most encoded bytes that wait for one link.
    package var outboxBytes = 0
    /// The most missing envelopes on one link, but for those that did not count when they came.
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

    package init() {}
}

extension NodeMachine {
    /// The present amounts.
    package var load: NodeLoad {
        var load = NodeLoad()
        load.openLinks = links.count
        for link in links {
            if link.isMember { load.links += 1 }
            load.outboxBytes = max(load.outboxBytes, link.outbox.pending)
            let missing = link.replications.reduce(0) { $0 + $1.missing.count }
            let uncounted = link.conversations.compactMap(conversations.index(of:))
                .reduce(0) { $0 + conversations[$1].generations.uncounted.entries.count }
            load.missing = max(load.missing, missing - uncounted)
            load.announcedBytes += link.replications.reduce(0) { $0 + $1.missing.bytes }
        }
        for conversation in conversations {
            load.wants = max(load.wants, conversation.wants.count)
            load.announcedBytes += conversation.wants.count * Limits.wantBytes
        }
        load.requests = author.waiting.count
        load.commitBytes = commits.pendingBytes
        load.deviceNames = links.nameCount
        return load
    }
}
