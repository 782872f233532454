import ParleyCore

/// The memory of the checkers: the written envelopes, and the disks that have them.
///
/// The ledger observes the disks, and the writes that stores get; it never asks a machine. As the
/// first observer, it is up to date for the others.
package final class Ledger: Checker {
    package static let watches: WorldEvent.Kinds = [
        .processes, .answered, .persisted, .membership, .intrusions, .faults,
    ]

    /// An envelope, by the conversation and its dot.
    package struct Key: Hashable {
        let conversation: ConversationID
        let dot: Dot
    }

    /// An envelope as its author made it.
    struct Written {
        let header: EnvelopeHeader
        let bytes: Slice
        /// The author's node; nil for an intruder with the keys of a writer.
        let node: Int?
        let conversation: ConversationID
        let time: Moment
    }

    /// The heads and the feed position of a session, as in its row.
    struct Row: Equatable {
        var heads: [Dot]
        var position: UInt64
    }

    typealias Rows = [ConversationID: [SessionTag: Row]]

    /// The contents of one node's store.
    struct Copy {
        /// The rows that the node handed to its store, durable or not.
        var issued: Rows = [:]
        /// The same rows by feed position.
        var feeds: [ConversationID: IssuedFeed] = [:]
        var disk: Rows = [:]
        var numbers: [UInt32: ConversationID] = [:]
        var roles: [ConversationID: Capability.Role] = [:]
        var epochs: [Epoch] = []
        /// The guests with a seat, now or earlier in this process.
        var seats: [UInt32: [SeatNumber: GuestSeat]] = [:]
        var guests: [UInt32: [GuestSeat]] = [:]
        /// The rows before the current step, of the sessions that it changes.
        var before: Rows = [:]
        /// The messages that the node wrote in the current step.
        var news: [Key] = []
    }

    private(set) var written: [Key: [Written]] = [:]
    /// The origins with messages in a session.
    private(set) var writers: [SessionTag: Set<OriginID>] = [:]
    private(set) var removals = Removals()
    private(set) var copies: [Copy] = []
    /// Who writes under an origin of a node: the device of the node, or a guest there.
    struct Author: Equatable {
        let node: DeviceID
        let device: DeviceID
        let participant: ParticipantID
        let epoch: Epoch
    }

    private var authors: [OriginID: Author] = [:]
    /// Sessions in which a Byzantine writer wrote: promises about honest writers do not hold there.
    private(set) var byzantineSessions: Set<SessionTag> = []
    /// Sessions in which a node wrote after its disk lost data: the context may lack messages.
    private var forgottenIn: Set<SessionTag> = []
    /// Nodes whose disk lost data.
    private(set) var damaged: Set<Int> = []
    /// Whether a disk damaged a blob, so that honest nodes may send wrong bytes.
    private(set) var hasDamagedBlob = false
    /// Devices that were cloned, or set back to a backup unnoticed.
    private(set) var copied: Set<DeviceID> = []
    /// Whether data may be lost for good, by a fault or by leaving a conversation.
    private(set) var hasLost = false
    /// Envelopes in stores that nobody wrote, with the node.
    private(set) var foreign: [(node: Int, key: Key, what: String)] = []

    package init() {}

    // MARK: Reading

    func header(_ dot: Dot, in conversation: ConversationID) -> EnvelopeHeader? {
        written[Key(conversation: conversation, dot: dot)]?.first?.header
    }

    /// Whether somebody wrote a message as it is read in a session: a Byzantine author may use a
    /// dot for several messages.
    func hasWritten(_ head: HeadView, in tag: SessionTag, of conversation: ConversationID) -> Bool {
        let messages = written[Key(conversation: conversation, dot: head.dot)] ?? []
        return messages.map(\.header).contains {
            $0.tag == tag && $0.revision == head.revision && $0.isTombstone == head.isTombstone
        }
    }

    /// Whether contexts may be wrong in a session.
    func isDoubtful(_ tag: SessionTag) -> Bool {
        byzantineSessions.contains(tag) || forgottenIn.contains(tag)
    }

    /// The author behind the origin of a dot.
    func author(of dot: Dot) -> Author? { authors[dot.origin] }

    /// The other origins of an origin's node in the same epoch, of all conversations.
    func origins(besides origin: OriginID) -> Set<OriginID> {
        guard let author = authors[origin] else { return [] }
        return Set(
            authors.lazy.filter { $0.value.node == author.node && $0.value.epoch == author.epoch }
                .map(\.key)
        ).subtracting([origin])
    }

    /// Whether a message, or a message that dominates it, is among `heads`.
    func isKept(_ dot: Dot, among heads: [Dot], in conversation: ConversationID) -> Bool {
        heads.contains { head in
            // Several envelopes may have the dot of a head.
            let envelopes = written[Key(conversation: conversation, dot: head)] ?? []
            return head == dot || envelopes.contains { $0.header.hasInContext(dot) }
        }
    }

    /// Whether another message may have the same dot, as the author's data directory was copied.
    func mayBeTwo(_ dot: Dot) -> Bool {
        authors[dot.origin].map { copied.contains($0.node) } ?? false
    }

    /// The heads of a session at a node before the current step.
    func headsBefore(of tag: SessionTag, _ number: UInt32, at node: Int) -> Set<Dot> {
        guard let conversation = copies[node].numbers[number] else { return [] }
        return Set(copies[node].before[conversation]?[tag]?.heads ?? [])
    }

    /// Whether a node's disk has a message, or a message that dominates it.
    func isOnDisk(
        _ dot: Dot,
        of tag: SessionTag,
        in conversation: ConversationID,
        at node: Int
    ) -> Bool {
        let heads = copies[node].disk[conversation]?[tag]?.heads ?? []
        return isKept(dot, among: heads, in: conversation)
    }

    // MARK: Watching

    package func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .started(let node): started(node, world)
        case .answered(let node, let effects): answered(node, effects, world)
        case .persisted(let node, let persist):
            for write in persist.writes { take(write, of: node, onDisk: true, world) }
        case .joined(let node, let conversation, let role):
            grow(to: node)
            copies[node].roles[conversation] = role
        case .left(let node, let conversation):
            copies[node].roles[conversation] = nil
            hasLost = true
        case .byzantineWrite(let bytes, let conversation):
            guard let tag = take(bytes, in: conversation, at: world.now) else { return }
            byzantineSessions.insert(tag)
        case .wrote(let bytes, let conversation):
            _ = take(bytes, in: conversation, at: world.now)
        case .fault(let fault): note(fault, world)
        default: break
        }
    }

    private func note(_ fault: Fault, _ world: World) {
        switch fault {
        case .lostRow(let node, _), .damagedRow(let node, _):
            damaged.insert(node)
        case .damagedBlob:
            hasDamagedBlob = true
            return
        case .restore(let node, let inPlace):
            damaged.insert(node)
            // A shortened run may have fewer nodes than its faults were drawn for.
            if inPlace, world.nodes.indices.contains(node) {
                copied.insert(world.nodes[node].device)
            }
        case .clone(let node, _):
            guard world.nodes.indices.contains(node) else { return }
            copied.insert(world.nodes[node].device)
            return
        default: return
        }
        hasLost = true
    }

    private func grow(to node: Int) {
        while copies.count <= node { copies.append(Copy()) }
    }

    /// Reads the disk, which may have changed since the end of the last process.
    private func started(_ node: Int, _ world: World) {
        grow(to: node)
        let disk = world.nodes[node].disk
        copies[node].numbers = disk.conversations.mapValues(\.record.id)
        copies[node].roles = [:]
        for conversation in disk.conversations.values {
            copies[node].roles[conversation.record.id] = conversation.record.capability.role
        }
        copies[node].epochs = disk.epoch.map { [$0] } ?? []
        copies[node].guests = disk.conversations.mapValues(\.seats)
        copies[node].seats = copies[node].guests.mapValues { guests in
            Dictionary(uniqueKeysWithValues: guests.map { ($0.number, $0) })
        }
        copies[node].disk = [:]
        for row in disk.rows.values {
            guard let conversation = copies[node].numbers[row.conversation] else { continue }
            let heads = row.heads.filter { stored in
                let key = Key(conversation: conversation, dot: stored.dot)
                return written[key]?.contains { $0.bytes == stored.envelope } ?? false
            }
            copies[node].disk[conversation, default: [:]][row.tag] = Row(
                heads: heads.map(\.dot),
                position: row.position
            )
        }
        copies[node].issued = copies[node].disk
        copies[node].feeds = copies[node].issued.mapValues { IssuedFeed($0) }
        adopt(node, world)
    }

    /// Notes who writes under the origins of a node, in all epochs of the process.
    private func adopt(_ node: Int, _ world: World) {
        for (number, conversation) in copies[node].numbers {
            for epoch in copies[node].epochs {
                adopt(nil, epoch, in: conversation, world.nodes[node])
                for guest in copies[node].guests[number] ?? [] {
                    adopt(guest, epoch, in: conversation, world.nodes[node])
                }
            }
        }
    }

    private func adopt(
        _ guest: GuestSeat?,
        _ epoch: Epoch,
        in conversation: ConversationID,
        _ node: SimulatedNode
    ) {
        let device = guest?.device(of: node.device, using: node.crypto) ?? node.device
        let origin = OriginID(
            conversation: conversation,
            device: device,
            epoch: epoch,
            using: node.crypto
        )
        guard authors[origin] == nil else { return }
        let participant = ParticipantID(
            conversation: conversation,
            device: device,
            using: node.crypto
        )
        authors[origin] = Author(
            node: node.device,
            device: device,
            participant: participant,
            epoch: epoch
        )
    }

    private func answered(_ node: Int, _ effects: Effects, _ world: World) {
        grow(to: node)
        copies[node].before = [:]
        copies[node].news = []
        for write in effects.persist?.writes ?? [] { take(write, of: node, onDisk: false, world) }
    }

    private func take(_ write: StoreWrite, of node: Int, onDisk: Bool, _ world: World) {
        switch write {
        case .epoch(let epoch) where !onDisk:
            copies[node].epochs.append(epoch)
            adopt(node, world)
        case .conversation(let record) where !onDisk:
            copies[node].numbers[record.number] = record.id
            adopt(node, world)
        case .seat(let number, let seat, let guest) where !onDisk:
            copies[node].seats[number, default: [:]][seat] = guest
            guard let guest else { return }
            copies[node].guests[number, default: []].append(guest)
            adopt(node, world)
        case .conversationLeft(let number):
            guard let conversation = copies[node].numbers[number] else { return }
            if onDisk {
                copies[node].disk[conversation] = nil
            } else {
                copies[node].issued[conversation] = nil
                copies[node].feeds[conversation] = nil
                copies[node].seats[number] = nil
                copies[node].guests[number] = nil
            }
        case .session(let row): take(row, of: node, onDisk: onDisk, world)
        case .member(_, let name, let bytes?): removals.note(name, bytes)
        default: break
        }
    }

    private func take(_ row: SessionRow, of node: Int, onDisk: Bool, _ world: World) {
        guard let conversation = copies[node].numbers[row.conversation] else { return }
        let value = Row(heads: row.heads.map(\.dot), position: row.position)
        guard !onDisk else {
            copies[node].disk[conversation, default: [:]][row.tag] = value
            return
        }
        for head in row.heads { note(head, of: row.tag, conversation, node, world) }
        let old = copies[node].issued[conversation]?[row.tag]
        copies[node].before[conversation, default: [:]][row.tag] = old
        copies[node].issued[conversation, default: [:]][row.tag] = value
        copies[node].feeds[conversation, default: IssuedFeed()].add(row.tag, at: row.position)
    }

    /// Notes an envelope on its way to a store: known, newly written by the node, or foreign.
    private func note(
        _ head: StoredHead,
        of tag: SessionTag,
        _ conversation: ConversationID,
        _ node: Int,
        _ world: World
    ) {
        guard let bytes = head.envelope else { return }
        let key = Key(conversation: conversation, dot: head.dot)
        if let known = written[key], known.contains(where: { $0.bytes == bytes }) { return }
        guard authors[head.dot.origin]?.node == world.nodes[node].device,
            let header = (try? Envelope(decoding: bytes))?.header
        else {
            let what = written[key] == nil ? "that nobody wrote" : "in other bytes than its author"
            foreign.append((node, key, what))
            return
        }
        add(header, bytes, key, node: node, at: world.now)
        if damaged.contains(node) { forgottenIn.insert(tag) }
        copies[node].news.append(key)
    }

    private func add(
        _ header: EnvelopeHeader,
        _ bytes: Slice,
        _ key: Key,
        node: Int?,
        at time: Moment
    ) {
        writers[header.tag, default: []].insert(header.dot.origin)
        written[key, default: []].append(
            Written(
                header: header,
                bytes: bytes,
                node: node,
                conversation: key.conversation,
                time: time
            )
        )
    }

    /// Notes an envelope that no node wrote, but an intruder or Byzantine writer; returns its
    /// session.
    private func take(
        _ bytes: Slice,
        in conversation: ConversationID,
        at time: Moment
    ) -> SessionTag? {
        guard let header = (try? Envelope(decoding: bytes))?.header else { return nil }
        let key = Key(conversation: conversation, dot: header.dot)
        if written[key]?.contains(where: { $0.bytes == bytes }) ?? false { return header.tag }
        add(header, bytes, key, node: nil, at: time)
        return header.tag
    }

    func takeForeign() -> [(node: Int, key: Key, what: String)] {
        defer { foreign = [] }
        return foreign
    }
}

extension EnvelopeHeader {
    /// Whether the envelope is `other` or dominates it, by context or as a later one of the origin.
    func hasInContext(_ other: Dot) -> Bool {
        if dot.origin == other.origin { return other.sequence <= dot.sequence }
        return context.contains { $0.origin == other.origin && other.sequence <= $0.sequence }
    }
}
