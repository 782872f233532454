/// The links of a node, ascending by ID, and all that concerns nothing but links.
package struct LinkList: Sendable {
    private var links: [Link] = []
    /// The IDs of all links, including ending ones, ascending.
    package private(set) var openLinks: [LinkID] = []
    /// This process, as peers know it.
    let own: Process

    /// A list without links of the process `own`.
    package init(own: Process) {
        self.own = own
    }

    /// Adds a link in the order of the IDs, as handshakes may end in any order.
    ///
    /// - Returns: its index.
    package mutating func insert(_ link: Link) -> Int {
        let index = links.lastIndex { $0.id < link.id }.map { $0 + 1 } ?? 0
        links.insert(link, at: index)
        openLinks.insert(link.id, at: index)
        return index
    }

    /// Removes the ended links, and returns them in order.
    package mutating func removeClosing() -> [Link] {
        let closing = links.filter { $0.phase == .closing }
        links.removeAll { $0.phase == .closing }
        openLinks = links.map(\.id)
        return closing
    }

    // MARK: Finding links

    /// The index of a link that is not ending.
    package func index(of link: LinkID) -> Int? {
        let index = openLinks.partitioningIndex { $0 >= link }
        guard index < links.count, openLinks[index] == link, links[index].phase != .closing else {
            return nil
        }
        return index
    }

    package var memberCount: Int {
        var count = 0
        for index in links.indices where links[index].isMember { count += 1 }
        return count
    }

    /// The members at the other ends of the links, in their order.
    var meshMembers: [Mesh.Member] {
        indices.filter { links[$0].isMember }.map { Mesh.Member(links[$0]) }
    }

    package var areSomeClosing: Bool {
        for index in links.indices where links[index].phase == .closing { return true }
        return false
    }

    /// Whether a live link leads to a member of a conversation.
    package func hasLiveLink(sharing conversation: UInt32) -> Bool {
        links.contains { $0.isLive && $0.replication(of: conversation) != nil }
    }

    /// The live links to members of a conversation, in order.
    package func liveLinks(sharing conversation: UInt32) -> [LinkID] {
        links.filter { $0.isLive && $0.replication(of: conversation) != nil }.map(\.id)
    }

    /// The link on which the author of an envelope pushes or announces it unasked.
    package func link(toAuthor device: DeviceID, of conversation: UInt32) -> LinkID? {
        links.first {
            $0.device == device && $0.isLive && $0.replication(of: conversation) != nil
        }?.id
    }

    /// Whether a live peer that brought something new is linked to the device with `hint`.
    package func isReached(_ hint: UInt64) -> Bool {
        contains { $0.isLive && $0.broughtNews != nil && $0.peersLinked.contains(hint) }
    }
}

extension LinkList: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { links.count }

    /// Reads and changes a link or a replication in place: a copy costs more than most changes.
    #if DEBUG
    // Debug builds of Swift 6.3.1 read parts of a yielded value after the access.
    package subscript(index: Int) -> Link {
        get { links[index] }
        _modify { yield &links[index] }
    }

    package subscript(index: ReplicationIndex) -> Replication {
        get { links[index.link].replications[index.replication] }
        _modify { yield &links[index.link].replications[index.replication] }
    }
    #else
    package subscript(index: Int) -> Link {
        _read { yield links[index] }
        _modify { yield &links[index] }
    }

    package subscript(index: ReplicationIndex) -> Replication {
        _read { yield links[index.link].replications[index.replication] }
        _modify { yield &links[index.link].replications[index.replication] }
    }
    #endif
}

extension LinkList {
    /// The replication of a conversation on a link, if it is shared there.
    func replication(of conversation: UInt32, on link: Int) -> ReplicationIndex? {
        links[link].replication(of: conversation)
            .map { ReplicationIndex(link: link, replication: $0) }
    }

    /// The replication and the conversation for the peer's number; nil if they are not shared here.
    ///
    /// - Throws: `.unexpected` for a frame before the peer's `feed`, `.overLimit` for a number
    ///   without a tag.
    package func shared(
        _ peerNumber: UInt32,
        _ type: FrameType,
        on index: Int,
        _ conversations: ConversationTable
    ) throws(Refusal) -> (replication: ReplicationIndex, conversation: Int)? {
        guard let number = try links[index].replication(ofPeerNumber: peerNumber) else {
            return nil
        }
        let replication = ReplicationIndex(link: index, replication: number)
        guard let conversation = conversations.index(of: self[replication].conversation) else {
            return nil
        }
        guard type == .feed || self[replication].hasBegun else {
            throw .unexpected(type.rawValue)
        }
        return (replication, conversation)
    }
}
