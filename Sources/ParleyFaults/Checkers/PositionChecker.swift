import ParleyCore

/// A feed position is said to be stored, and written as a cursor, only once everything up to it is
/// on the disk of who says so.
package struct PositionChecker: Checker {
    package static let promise = Promise("positions after the commit")
    package static let watches: WorldEvent.Kinds = [.sent, .persisted, .processes]

    private struct Place: Hashable {
        let node: Int
        let peer: Int
        let conversation: ConversationID
        let run: UInt64
    }

    private let ledger: Ledger
    /// Up to where it was looked already: what was said, and what was written down.
    private var said: [Place: UInt64] = [:]
    private var written: [Place: UInt64] = [:]
    /// What the numbers of a link's conversations mean; they are gone with the link.
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
                let place = Place(node: node, peer: peer, conversation: conversation, run: run)
                expect(stored.position, after: said[place] ?? 0, at: place, "says", world)
                said[place] = max(said[place] ?? 0, stored.position)
            }
        case .persisted(let node, let persist):
            for case .cursor(let number, let device, let cursor) in persist.writes {
                guard let conversation = ledger.copies[node].numbers[number],
                    let peer = onlyNode(device, world)
                else { continue }
                let place = Place(
                    node: node,
                    peer: peer,
                    conversation: conversation,
                    run: cursor.run
                )
                let start = written[place] ?? 0
                expect(cursor.position, after: start, at: place, "writes down", world)
                written[place] = max(start, cursor.position)
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
            for share in links[index].shares {
                numbers[LinkEnd(node: node, link: link), default: [:]][share.ownNumber] = (
                    share.conversation, share.peerRun
                )
            }
        }
    }

    /// The node with a device's key, unless there are several.
    private func onlyNode(_ device: DeviceID, _ world: World) -> Int? {
        let nodes = world.nodes.indices.filter { world.nodes[$0].device == device }
        return nodes.count == 1 ? nodes[0] : nil
    }

    /// Everything in the peer's feed up to `position` is on the node's disk, if the peer is still
    /// in that run.
    private func expect(
        _ position: UInt64,
        after start: UInt64,
        at place: Place,
        _ verb: String,
        _ world: World
    ) {
        guard position > start else { return }
        // A lost row takes no cursor along; the next audit finds it, and what was written without
        // knowing of it.
        guard !ledger.damaged.contains(place.node), ledger.copied.isEmpty else { return }
        let state = world.nodes[place.peer].machine?.conversations.first {
            $0.record.id == place.conversation
        }
        guard state?.presentRun == place.run,
            let rows = ledger.copies[place.peer].issued[place.conversation],
            let feed = ledger.copies[place.peer].feeds[place.conversation]
        else { return }
        for entry in feed.entries(after: start, upTo: position) {
            guard let row = rows[entry.tag], row.position == entry.position,
                !ledger.isDoubtful(entry.tag), !isOnDisk(row, of: entry.tag, at: place)
            else { continue }
            world.fail(
                Self.promise,
                by: [place.node, place.peer],
                "\(world.nodes[place.node].name) \(verb) that it has "
                    + "\(world.nodes[place.peer].name)'s feed up to \(position), and lacks some of "
                    + "\(world.words(row.heads)) of \(world.word(entry.tag)) at \(row.position)"
            )
            return
        }
    }

    private func isOnDisk(_ row: Ledger.Row, of tag: SessionTag, at place: Place) -> Bool {
        row.heads.allSatisfy {
            ledger.isOnDisk($0, of: tag, in: place.conversation, at: place.node)
        }
    }
}
