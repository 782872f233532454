/// The amounts that a node keeps for its peers, and the limits.
package struct NodeLoad: Sendable, Equatable {
    /// All links, including links to strangers.
    package var openLinks = 0
    /// Links to members.
    package var links = 0
    /// The most encoded bytes that wait for one link.
    package var outboxBytes = 0
    /// The most missing envelopes on one link.
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

    /// Adds a link with its memory.
    @inline(__always)
    mutating func add(_ link: Link) {
        openLinks += 1
        if link.isMember { links += 1 }
        outboxBytes = max(outboxBytes, link.outbox.pending)
        missing = max(missing, link.replications.reduce(0) { $0 + $1.missing.count })
        announcedBytes += link.replications.reduce(0) { $0 + $1.missing.bytes }
    }

    /// Adds the wants of a conversation.
    @inline(__always)
    mutating func add(_ conversation: Conversation) {
        wants = max(wants, conversation.wants.count)
        announcedBytes += conversation.wants.count * Limits.wantBytes
    }
}

extension NodeMachine {
    /// The present amounts.
    package var load: NodeLoad {
        var load = NodeLoad()
        for link in links { load.add(link) }
        for conversation in conversations { load.add(conversation) }
        load.requests = author.waiting.count
        load.commitBytes = commits.pendingBytes
        load.deviceNames = links.nameCount
        return load
    }
}
