import Foundation
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyStore
import ParleyTransport

extension NodeShell {
    // MARK: Messages

    func transcript(
        of name: String,
        last count: Int? = nil,
        skipping skipped: Int = 0
    ) async throws(NodeError) -> [TranscriptEntry] {
        let conversation = try conversation(named: name)
        guard conversation.keys.canRead else { throw .unreadable(conversation: name) }
        let number = conversation.number
        let found =
            count.map { conversation.transcript(last: $0, skipping: skipped) }
            ?? conversation.transcript()
        var entries: [TranscriptEntry] = []
        for entry in found {
            switch entry {
            case .summary(_, let line):
                entries.append(.summary(summary(line, inConversation: number)))
            case .message(let session, _, _):
                guard let view = machine.conversation(number)?.view(session),
                    let message = messages(of: try await withEnvelopes(view)).first,
                    !message.isMark
                else { continue }
                entries.append(.message(message))
            }
        }
        return entries
    }

    func session(
        _ session: SessionID,
        in conversation: String? = nil
    ) async throws(NodeError) -> SessionDetail {
        let view = try await withEnvelopes(try find(session, in: conversation))
        let messages = messages(of: view)
        guard let shown = messages.first else { throw .unknownSession(session.description) }
        return SessionDetail(
            conversation: conversationName(view.conversation),
            session: session,
            shown: shown,
            others: Array(messages.dropFirst()),
            replaced: view.lines.map { summary($0, inConversation: view.conversation) }
        )
    }

    /// The conflicts of the conversation `name`; if that is nil, of all that this node can read.
    func conflicts(in name: String? = nil) async throws(NodeError) -> [Conflict] {
        if let name, try !conversation(named: name).keys.canRead {
            throw .unreadable(conversation: name)
        }
        var conflicts: [Conflict] = []
        for conversation in machine.conversations
        where conversation.keys.canRead && (name == nil || name == conversation.record.name) {
            for view in conversation.conflicts() {
                let messages = messages(of: try await withEnvelopes(view))
                guard let shown = messages.first else { continue }
                conflicts.append(
                    Conflict(
                        conversation: conversation.record.name,
                        session: shown.session,
                        shown: shown,
                        others: Array(messages.dropFirst())
                    )
                )
            }
        }
        return conflicts
    }

    func pictureBytes(
        of message: MessageID,
        session: SessionID,
        in conversation: String? = nil
    ) async throws(NodeError) -> Data? {
        let view = try await withEnvelopes(try find(session, in: conversation))
        guard let head = view.heads.first(where: { MessageID($0.dot) == message }) else {
            throw .unknownMessage(message.description)
        }
        return try await pictureBytes(head, in: view)
    }

    /// Finds the session in the conversation `name`, or, if that is nil, in the first conversation
    /// that has it.
    private func find(
        _ session: SessionID,
        in name: String?
    ) throws(NodeError) -> SessionView {
        for conversation in machine.conversations
        where name.map(conversation.record.isNamed) ?? true {
            guard
                let tag = conversation.tag(of: session.core, using: machine.crypto),
                let view = conversation.view(tag)
            else { continue }
            return view
        }
        throw .unknownSession(session.description)
    }

    func events() -> AsyncStream<NodeEvent> {
        guard !isStopping else { return AsyncStream { $0.finish() } }
        let (stream, continuation) = AsyncStream.makeStream(
            of: NodeEvent.self,
            bufferingPolicy: .bufferingOldest(Followers.backlog)
        )
        let id = followers.add(continuation)
        let queue = executor.queue
        continuation.onTermination = { [weak self] _ in
            queue.async { [weak self] in
                self?.assumeIsolated { $0.followers.remove(id) }
            }
        }
        return stream
    }

    // MARK: The node

    var ready: ReadyNode {
        ReadyNode(device: key.id.text, name: deviceName, addresses: addresses())
    }

    func status() -> NodeStatus {
        NodeStatus(
            device: key.id.text,
            name: deviceName,
            version: NodeVersion.version,
            addresses: addresses(),
            links: machine.links.count(where: \.isMember),
            conversations: machine.conversations.count,
            sessions: machine.conversations.reduce(0) { $0 + $1.sessionCount },
            store: storeTrouble?.description ?? "ok",
            discovery: settings.usesDiscovery ? discoveryState.sentence : "off",
            envelopesReceived: machine.links.figures.envelopesReceived,
            envelopesSent: machine.links.figures.envelopesSent
        )
    }

    /// The amounts that the node keeps for its peers.
    func load() -> NodeLoad { machine.load }

    /// The members: those with a link, those that need none, and those that had one before.
    func peers() -> [Peer] {
        let linked = machine.links.filter(\.isMember).map(peer)
        var listed = Set(machine.links.filter(\.isMember).map(\.device))
        let spare = machine.links.mesh.spares.peers.filter { listed.insert($0.device).inserted }
        let reachable = spare.isEmpty ? [] : machine.dialer.reachableHints
        let others = machine.dialer.book.entries.compactMap { entry -> Peer? in
            guard let device = entry.device, entry.isMember, !listed.contains(device)
            else { return nil }
            return peer(entry, device.text)
        }
        return linked + spare.map { peer($0, isThere: reachable.contains($0.device.hint)) } + others
    }

    /// The devices that are announced or linked, and the addresses at which others may be.
    func nearby() -> [Peer] {
        let linked = Set(machine.links.map(\.device.hint))
        let isElsewhere = { (hint: UInt64?) in
            hint.map { linked.contains($0) || $0 == self.key.id.hint } ?? false
        }
        let announced = announced.all.filter { !isElsewhere($0.hint) }
        let book = machine.dialer.book.entries.filter { !isElsewhere($0.hint) }
        let others = book.filter { entry in
            !announced.contains { $0.address == entry.address }
                || entry.device != nil
                    && !announced.contains {
                        $0.address == entry.address && $0.hint == entry.hint
                    }
        }
        var found = announced.map { node in
            let entry = book.first { $0.address == node.address && $0.hint == node.hint }
            return (node.hint, peer(node, entry))
        }
        found += others.map { ($0.hint, peer($0, $0.device?.text ?? "")) }
        let spares = Dictionary(machine.links.mesh.spares.peers.map { ($0.device.hint, $0) }) { $1 }
        let reachable = spares.isEmpty ? [] : machine.dialer.reachableHints
        return machine.links.map(peer)
            + found.map { hint, peer in
                // A member without a link is the same here as in the list of the members.
                guard let hint, reachable.contains(hint), let spare = spares[hint] else {
                    return peer
                }
                return self.peer(spare, isThere: true, address: peer.address)
            }
    }

    /// An announced node; `entry` is what the address book knows of it.
    private func peer(_ node: AnnouncedNodes.Node, _ entry: AddressBook.Entry?) -> Peer {
        let name = node.name.printable
        return Peer(
            device: entry?.device?.text ?? node.shortID,
            name: name.isEmpty ? nil : name,
            state: entry.map(state) ?? .discovered,
            address: node.address,
            conversations: [],
            roundTrip: nil,
            queuedBytes: 0
        )
    }

    private func peer(_ link: Link) -> Peer {
        let connection = links.connection(of: link.id)
        return Peer(
            device: link.device.text,
            name: machine.printableName(of: link.device),
            state: link.isMember ? (link.isSuspect ? .unresponsive : .connected) : .connecting,
            address: link.address,
            conversations: link.conversations.map(conversationName),
            roundTrip: connection.flatMap { transport?.roundTrip(of: $0) },
            queuedBytes: connection.flatMap { transport?.unwrittenBytes(of: $0) } ?? 0
        )
    }

    /// A member without a link, as neither side needs one, at that address or the first one known.
    private func peer(_ spare: SparePeers.Peer, isThere: Bool, address: String? = nil) -> Peer {
        let hint = spare.device.hint
        let known = machine.dialer.book.entries.first { $0.hint == hint }?.address.printable
        return Peer(
            device: spare.device.text,
            name: machine.printableName(of: spare.device),
            state: isThere ? .throughOthers : .lastSeen,
            address: address ?? known ?? "",
            conversations: spare.conversations.map(conversationName),
            roundTrip: nil,
            queuedBytes: 0
        )
    }

    private func state(_ entry: AddressBook.Entry) -> Peer.State {
        entry.isDialled ? .connecting : entry.isMember ? .lastSeen : .discovered
    }

    private func peer(_ entry: AddressBook.Entry, _ device: String) -> Peer {
        Peer(
            device: device,
            name: entry.deviceName?.printable
                ?? entry.device.flatMap { machine.printableName(of: $0) },
            state: state(entry),
            address: entry.address.printable,
            conversations: [],
            roundTrip: nil,
            queuedBytes: 0
        )
    }

    /// The addresses at which this node can be reached; an unspecified address that it listens on
    /// is replaced by the addresses of its family.
    private func addresses() -> [String] {
        listening.flatMap { address -> [String] in
            guard address.ip.isUnspecified else { return [address.description] }
            let local = LocalAddress.all().compactMap(\.address).filter { candidate in
                !candidate.ip.isLoopback && candidate.ip.isV4 == address.ip.isV4
            }
            let found = local.map { $0.with(port: address.port).description }
            return found.isEmpty ? [address.description] : found
        }
    }
}

extension IPAddress {
    var isV4: Bool {
        if case .v4 = self { true } else { false }
    }
}
