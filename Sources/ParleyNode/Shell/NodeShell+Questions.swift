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

    /// Finds the session of the conversation `name` that has the message as a head.
    private func find(
        _ message: MessageID,
        in name: String
    ) throws(NodeError) -> SessionView {
        let conversation = try conversation(named: name)
        guard conversation.keys.canRead else { throw .unreadable(conversation: name) }
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
            envelopesSent: machine.links.figures.envelopesSent,
            copy: copyAddress,
            previousDevice: deviceChange?.previous?.text
        )
    }

    /// The amounts that the node keeps for its peers.
    func load() -> NodeLoad { machine.load }

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
