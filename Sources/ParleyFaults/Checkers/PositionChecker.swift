import ParleyCore

/// A feed position is confirmed or written as a cursor only after all changes up to it are on disk.
package struct PositionChecker: Checker {
    package static let promise = Promise("positions after the commit")
    package static let watches: WorldEvent.Kinds = [.sent, .persisted, .processes]

    private struct PeerFeed: Hashable {
        let node: Int
        let peer: Int
        let conversation: ConversationID
        let run: UInt64
    }

    private let ledger: Ledger
    /// The highest checked position that was confirmed or written.
    private var said: [PeerFeed: UInt64] = [:]
    private var written: [PeerFeed: UInt64] = [:]
    /// The meaning of the numbers of conversations on each link; they are kept, as a machine
    /// forgets them with the link.
    private var numbers: [LinkEnd: [UInt32: (conversation: UInt32, run: UInt64?)]] = [:]

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .sent(let node, let peer, let link, let bytes):
            for frame in SentFrames(bytes) where frame.type == FrameType.stored.rawValue {
                guard case .stored(let stored)? = try? Frame(decoding: frame) else { continue }
                learn(link, of: node, world)
                let end = LinkEnd(node: node, link: link)
                guard let meaning = numbers[end]?[stored.conversation], let run = meaning.run,
                    let conversation = ledger.copies[node].numbers[meaning.conversation]
                else { continue }
                let peerFeed = PeerFeed(
                    node: node,
                    peer: peer,
                    conversation: conversation,
                    run: run
                )
                expect(stored.position, after: said[peerFeed] ?? 0, of: peerFeed, "says", world)
                said[peerFeed] = max(said[peerFeed] ?? 0, stored.position)
            }
        case .persisted(let node, let persist):
            for case .cursor(let number, let device, let cursor) in persist.writes {
                guard let conversation = ledger.copies[node].numbers[number],
                    let peer = onlyNode(device, world)
                else { continue }
                let peerFeed = PeerFeed(
                    node: node,
                    peer: peer,
                    conversation: conversation,
                    run: cursor.incarnation
                )
                let start = written[peerFeed] ?? 0
                expect(cursor.position, after: start, of: peerFeed, "writes down", world)
                written[peerFeed] = max(start, cursor.position)
            }
        case .started(let node):
            said = said.filter { $0.key.node != node && $0.key.peer != node }
            written = written.filter { $0.key.node != node && $0.key.peer != node }
            numbers = numbers.filter { $0.key.node != node }
        default: break
        }
    }

    private mutating func learn(_ link: LinkID, of node: Int, _ world: World) {
        guard let links = world.nodes[node].machine?.links else { return }
        for index in links.indices where links[index].id == link {
            for replication in links[index].replications {
                let end = LinkEnd(node: node, link: link)
                numbers[end, default: [:]][replication.ownNumber] = (
                    replication.conversation, replication.peerIncarnation
                )
            }
        }
    }

    /// The node with this device, unless there are several.
    private func onlyNode(_ device: DeviceID, _ world: World) -> Int? {
        let nodes = world.nodes.indices.filter { world.nodes[$0].device == device }
        return nodes.count == 1 ? nodes[0] : nil
    }

    /// Checks that everything in the peer's feed up to `position` is on the node's disk, if the
    /// peer is still in that incarnation of the feed.
    private func expect(
        _ position: UInt64,
        after start: UInt64,
        of peerFeed: PeerFeed,
        _ verb: String,
        _ world: World
    ) {
        guard position > start else { return }
        // The cursor stays when a row is lost; the next audit finds the missing row, and messages
        // that were written without knowing it.
        guard !ledger.damaged.contains(peerFeed.node), ledger.copied.isEmpty else { return }
        let state = world.nodes[peerFeed.peer].machine?.conversations.first {
            $0.record.id == peerFeed.conversation
        }
        guard state?.presentIncarnation == peerFeed.run,
            let rows = ledger.copies[peerFeed.peer].issued[peerFeed.conversation],
            let feed = ledger.copies[peerFeed.peer].feeds[peerFeed.conversation]
        else { return }
        for entry in feed.entries(after: start, upTo: position) {
            guard let row = rows[entry.tag], row.position == entry.position,
                !ledger.isDoubtful(entry.tag), !isOnDisk(row, of: entry.tag, of: peerFeed),
                !ledger.hasFormerMember(entry.tag, in: peerFeed.conversation, world)
            else { continue }
            world.fail(
                Self.promise,
                by: [peerFeed.node, peerFeed.peer],
                "\(world.nodes[peerFeed.node].name) \(verb) that it has "
                    + "\(world.nodes[peerFeed.peer].name)'s feed up to \(position), and lacks "
                    + "some of "
                    + "\(world.words(row.heads)) of \(world.word(entry.tag)) at \(row.position)"
            )
            return
        }
    }

    private func isOnDisk(_ row: Ledger.Row, of tag: SessionTag, of peerFeed: PeerFeed) -> Bool {
        row.heads.allSatisfy {
            ledger.isOnDisk($0, of: tag, in: peerFeed.conversation, at: peerFeed.node)
        }
    }
}
