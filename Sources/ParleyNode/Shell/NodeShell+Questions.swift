import Foundation
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyStore
import ParleyTransport

extension NodeShell {
    // MARK: Messages

    /// A page of at most `TranscriptPage.entriesMax` entries; other envelopes are not read.
    func transcript(
        of name: String,
        at place: TranscriptPlace,
        limit: Int
    ) async throws(NodeError) -> TranscriptPage {
        let conversation = try readable(name)
        let (number, position) = (conversation.number, conversation.feed.latest)
        let count = min(max(1, limit), TranscriptPage.entriesMax)
        let part = conversation.transcript(place.span, count: count)
        var entries: [TranscriptEntry] = []
        for line in part.lines {
            switch line {
            case .summary(_, let line):
                entries.append(.summary(reader.summary(line, inConversation: number)))
            case .message(let session, _, _):
                guard let view = machine.conversations.view(session, in: number),
                    let message = messages(of: try await withEnvelopes(view)).first,
                    !message.isMark
                else { continue }
                entries.append(.message(message))
            }
        }
        return TranscriptPage(
            entries: entries,
            next: part.next.map(TranscriptCursor.init),
            position: position
        )
    }

    /// The latest sessions with a sticker on one of the messages, at most `count` for each message.
    func stickers(
        on messages: [MessageID],
        last count: Int,
        in name: String
    ) async throws(NodeError) -> [SessionDetail] {
        let conversation = try readable(name)
        let views = messages.compactMap(\.dot).flatMap {
            conversation.stickers(on: $0, last: count)
        }
        var details: [SessionDetail] = []
        for view in views {
            guard let detail = reader.detail(of: try await withEnvelopes(view)) else { continue }
            details.append(detail)
        }
        return details
    }

    func session(
        _ session: SessionID,
        in conversation: String? = nil
    ) async throws(NodeError) -> SessionDetail {
        let view = try await withEnvelopes(try find(session, in: conversation))
        guard let detail = reader.detail(of: view, session: session) else {
            throw .unknownSession(session.description)
        }
        return detail
    }

    func session(
        of message: MessageID,
        in name: String
    ) async throws(NodeError) -> SessionDetail {
        let view = try await withEnvelopes(try find(message, in: name))
        guard let detail = reader.detail(of: view) else {
            throw .unknownMessage(message.description)
        }
        return detail
    }

    /// At most `limit` conflicts after `session`, in the conversation `name` or in all readable
    /// ones.
    func conflicts(
        in name: String? = nil,
        after session: SessionID? = nil,
        limit: Int = .max
    ) async throws(NodeError) -> [Conflict] {
        if let name { _ = try readable(name) }
        let after = try session.map { (id) throws(NodeError) in try find(id, in: name).tag }
        var views: [(name: String, view: SessionView)] = []
        for conversation in machine.conversations
        where conversation.keys.canRead && (name.map(conversation.record.isCalled) ?? true) {
            let rest = limit - views.count
            views += conversation.conflicts(after: after, count: rest)
                .map { (conversation.record.name, $0) }
        }
        var conflicts: [Conflict] = []
        for (name, view) in views {
            let messages = messages(of: try await withEnvelopes(view))
            guard let shown = messages.first else { continue }
            conflicts.append(
                Conflict(
                    conversation: name,
                    session: shown.session,
                    shown: shown,
                    others: Array(messages.dropFirst())
                )
            )
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

    /// The conversation `name`, if this node can read it.
    private func readable(_ name: String) throws(NodeError) -> ParleyCore.Conversation {
        let conversation = try conversation(named: name)
        guard conversation.keys.canRead else { throw .unreadable(conversation: name) }
        return conversation
    }

    /// Finds the session in the conversation `name`, or without a name in any conversation.
    private func find(
        _ session: SessionID,
        in name: String?
    ) throws(NodeError) -> SessionView {
        for conversation in machine.conversations
        where name.map(conversation.record.isCalled) ?? true {
            guard
                let tag = conversation.tag(of: session.core, using: machine.crypto),
                let view = conversation.view(tag)
            else { continue }
            return view
        }
        throw .unknownSession(session.description)
    }

    /// Finds the session of the conversation `name` that has the message as a head.
    private func find(
        _ message: MessageID,
        in name: String
    ) throws(NodeError) -> SessionView {
        let conversation = try readable(name)
        guard let dot = message.dot, let view = conversation.view(withHead: dot) else {
            throw .unknownMessage(message.description)
        }
        return view
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

    /// The list of the other devices as it is now.
    var peerList: PeerList {
        PeerList(
            machine,
            announced: discovery.announced,
            acquaintances: acquaintances,
            at: Self.now
        ) {
            link in
            self.links.connection(of: link).map {
                PeerList.Path(
                    roundTrip: self.transport?.roundTrip(of: $0),
                    queuedBytes: self.transport?.unwrittenBytes(of: $0) ?? 0
                )
            }
        }
    }

    /// The members with a link, without need of a link, or with a former link.
    func peers() -> [Peer] { peerList.peers() }

    /// The announced or linked devices, and the addresses at which others may be.
    func nearby() -> [Peer] { peerList.nearby(except: Set(ownAddresses(withLoopback: true))) }

    var ready: ReadyNode {
        ReadyNode(device: key.id.text, name: deviceName, addresses: ownAddresses())
    }

    func status() -> NodeStatus {
        let health = health
        return NodeStatus(
            device: key.id.text,
            name: deviceName,
            version: NodeVersion.version,
            addresses: ownAddresses(),
            links: machine.links.count(where: \.isMember),
            conversations: machine.conversations.count,
            sessions: machine.conversations.sessionCount,
            store: health.store,
            discovery: discovery.status(at: listening),
            interfaces: discovery.networkInterfaces(at: listening),
            visit: symptoms.visit,
            envelopesReceived: machine.links.figures.envelopesReceived,
            envelopesSent: machine.links.figures.envelopesSent,
            copy: symptoms.copy,
            previousDevice: deviceChange?.previous?.text,
            clock: symptoms.ahead?.sentence,
            troubles: health.troubles,
            isRelay: settings.isRelay
        )
    }

    private var health: NodeHealth {
        NodeHealth(
            storeTrouble: commits.trouble,
            usedUp: machine.conversations.usedUp.map {
                ($0.shortage, machine.conversationName($0.conversation))
            },
            isListening: !listening.isEmpty && !isStopping,
            isFound: !settings.usesDiscovery || discovery.isPublished
        )
    }

    /// The counts and the troubles of the node in one line without names.
    var statusWords: String {
        let links = machine.links.count(where: \.isMember)
        let sessions = machine.conversations.sessionCount
        let counts =
            "\(links) links, \(machine.conversations.count) conversations, \(sessions) sessions"
        return ([counts] + health.troubles.map(\.words)).joined(separator: "; ")
    }

    /// The figures of this moment.
    func measurements() -> NodeMeasurements {
        let conversations = machine.conversations
        let space = storage.space
        return NodeMeasurements(
            version: NodeVersion.version,
            links: machine.links.count(where: \.isMember),
            conversations: conversations.count,
            sessions: conversations.sessionCount,
            kept: conversations.totals.all,
            quotaUse: conversations.quotaUse,
            troubles: health.troubles,
            figures: machine.links.figures,
            load: machine.load,
            counts: metrics.counts,
            refusals: metrics.refusals,
            commits: metrics.commits,
            syncs: metrics.syncs,
            transport: transport?.counters ?? TransportCounters(),
            discovered: Set(discovery.announced.all.map(\.shortID)).count,
            storeBytes: space.used,
            freeBytes: space.free,
            freeBytesMin: settings.limits.freeSpace
        )
    }

    /// The amounts that the node keeps for its peers.
    func load() -> NodeLoad { machine.load }

    /// The addresses at which this node can be reached, on the loopback only on request.
    ///
    /// An unspecified listening address is replaced by the local addresses of its family.
    func ownAddresses(withLoopback: Bool = false) -> [String] {
        listening.flatMap { address -> [String] in
            guard address.ip.isUnspecified else { return [address.description] }
            let local = LocalAddress.all().compactMap(\.address).filter { candidate in
                (withLoopback || !candidate.ip.isLoopback)
                    && candidate.ip.isV4 == address.ip.isV4
            }
            let found = local.map { $0.with(port: address.port).description }
            return found.isEmpty ? [address.description] : found
        }
    }
}
