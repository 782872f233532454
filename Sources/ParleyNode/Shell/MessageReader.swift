package import Foundation
package import ParleyCore
import ParleyKeys
package import struct ParleyValues.Conversation

/// Converts the state of a node machine to the public values, for any shell around the machine.
package struct MessageReader: Sendable {
    let machine: NodeMachine
    /// The names of devices; nil for the names that the machine knows.
    private let names: (@Sendable (DeviceID) -> String?)?

    /// Makes a reader of the machine in its present state.
    ///
    /// The reader must be released before the next input, or the machine would be copied.
    package init(_ machine: NodeMachine, names: (@Sendable (DeviceID) -> String?)? = nil) {
        self.machine = machine
        self.names = names
    }

    // MARK: People and conversations

    func participant(_ author: AuthorView?) -> Participant {
        guard let author else { return Participant(id: Bytes16.zero.uuid, device: "", name: nil) }
        return Participant(
            id: author.participant.uuid,
            device: author.device.text,
            name: names.map { $0(author.device) } ?? machine.printableName(of: author.device),
            host: author.host?.text
        )
    }

    package var conversations: [Conversation] { machine.conversations.map(conversation) }

    func conversation(_ conversation: ParleyCore.Conversation) -> Conversation {
        let authors = conversation.origins.values.map { ($0.author.device, $0.author) }
        let unique = Dictionary(authors) { first, _ in first }
        let links = machine.links.filter {
            $0.isMember && $0.conversations.contains(conversation.number)
        }
        let passive = machine.links.mesh.passiveView.peers.filter {
            $0.conversations.contains(conversation.number)
        }
        let carded = machine.carded(in: conversation)
        let sharing = Set(links.map(\.device) + passive.map(\.device) + carded).sorted()
        let members = machine.members.list(conversation, machine.crypto)
        let persons = Dictionary(
            uniqueKeysWithValues: members.map {
                ($0.device.text, PersonOfDevice(of: $0, in: machine))
            }
        )
        let owned = { (participant: Participant) in
            var participant = participant
            participant.person = persons[participant.device] ?? nil
            return participant
        }
        var described = Conversation(
            name: conversation.record.name,
            id: conversation.record.id.hex,
            role: Role(conversation.role),
            isOpen: conversation.record.isOpen,
            participants: unique.values.sorted { $0.device < $1.device }.map {
                owned(participant($0))
            },
            me: owned(participant(machine.device, of: conversation)),
            sharing: sharing.map { owned(participant($0, of: conversation)) }
        )
        described.everybody =
            machine.author.receipts
            .everybody(
                in: conversation,
                members: members,
                admissions: machine.members[conversation.number].all
            ).count
        guard !conversation.generations.arePlain || conversation.standing != .member else {
            return described
        }
        described.members = Set(members.map(\.device.text))
        described.absence = absence(of: conversation)
        return described
    }

    private func absence(of conversation: ParleyCore.Conversation) -> Absence? {
        guard conversation.standing != .member else { return nil }
        let author = conversation.generations.exclusion.map {
            DeviceID(publicKey: $0.statement.author, using: machine.crypto)
        }
        return Absence(
            isThrownOut: conversation.standing == .out,
            by: author.map { participant($0, of: conversation).name ?? String($0.text.prefix(7)) }
        )
    }

    private func participant(
        _ device: DeviceID,
        of conversation: ParleyCore.Conversation
    ) -> Participant {
        let id = ParticipantID(
            conversation: conversation.record.id,
            device: device,
            using: machine.crypto
        )
        return participant(AuthorView(device: device, participant: id))
    }

    // MARK: Messages

    /// The messages of a session's heads, the shown one first.
    package func messages(of view: SessionView) -> [Message] {
        view.heads.map { message($0, in: view) }
    }

    /// Everything that this node has of a session; nil if the session has no heads.
    ///
    /// Without `session`, the session ID of the shown message is taken.
    package func detail(of view: SessionView, session: SessionID? = nil) -> SessionDetail? {
        let messages = messages(of: view)
        guard let shown = messages.first,
            let conversation = machine.conversation(view.conversation)
        else { return nil }
        return SessionDetail(
            conversation: conversation.record.name,
            session: session ?? shown.session,
            shown: shown,
            others: Array(messages.dropFirst()),
            replaced: view.lines.map { summary($0, inConversation: view.conversation) },
            match: view.match.map { match($0, in: view) },
            position: view.position
        )
    }

    /// Where the bytes of a message's picture are.
    package enum PictureSource {
        /// In the message.
        case message(Data)
        /// In a blob, which is sealed.
        case blob(BlobID)
    }

    /// The source of a message's picture; nil if there is no picture, or its bytes are not here.
    package func pictureSource(of head: HeadView, in view: SessionView) -> PictureSource? {
        guard let envelope = head.envelope,
            let body = machine.conversations.open(
                envelope,
                in: view.conversation,
                using: machine.crypto
            )
        else { return nil }
        switch body.layout?.template.image {
        case .inline: return body.inline.map { .message(Data($0.bytes.bytes)) }
        case .blob(let index):
            guard head.blobs.indices.contains(index), machine.hasBlob(head.blobs[index].id) else {
                return nil
            }
            return .blob(head.blobs[index].id)
        case nil: return nil
        }
    }

    /// The bytes of a picture that the author of a message has sealed; nil if they do not open.
    package func opened(_ sealed: Slice, of head: HeadView, in view: SessionView) -> Data? {
        machine.conversation(view.conversation)?.keys
            .openBlob(sealed, of: head.dot.origin, using: machine.crypto)
            .map { Data($0) }
    }

    func message(_ head: HeadView, in view: SessionView) -> Message {
        let body = head.envelope.flatMap {
            machine.conversations.open($0, in: view.conversation, using: machine.crypto)
        }
        return Message(
            session: body.map { SessionID($0.session) } ?? SessionID(view.tag),
            id: MessageID(head.dot),
            revision: head.revision,
            sender: participant(head.author),
            sentAt: Date(sentAt: body?.sentAt ?? 0),
            content: body.map(MessageContent.init),
            next: head.next.map(\.uuid),
            isConflict: view.heads.count > 1,
            isEnd: head.isTombstone,
            fault: view.match?.game.violations.first { $0.head.dot == head.dot }
                .map { Match.Fault($0.fault) },
            picture: body.flatMap { picture(of: $0, head) }
        )
    }

    private func picture(of body: MessageBody, _ head: HeadView) -> PictureInfo? {
        switch body.layout?.template.image {
        case .inline:
            guard let inline = body.inline else { return nil }
            let hash = machine.crypto.sha256(inline.bytes)
            return PictureInfo(
                sha256: hash.hex,
                type: inline.type,
                bytes: inline.bytes.count,
                isHere: true
            )
        case .blob(let index):
            guard body.blobTypes.indices.contains(index), head.blobs.indices.contains(index)
            else { return nil }
            let described = body.blobTypes[index]
            return PictureInfo(
                sha256: described.hash.hex,
                type: described.type,
                bytes: Int(clamping: described.size),
                isHere: machine.hasBlob(head.blobs[index].id)
            )
        case nil:
            return nil
        }
    }

    /// The public value of a replaced message's summary.
    package func summary(_ line: ShownLine, inConversation number: UInt32) -> Summary {
        Summary(
            session: SessionID(line.session),
            id: MessageID(line.dot),
            revision: line.revision,
            sender: participant(machine.conversations.author(of: line.dot.origin, in: number)),
            sentAt: Date(sentAt: line.sentAt),
            summaryText: line.summaryText
        )
    }
}

extension Message {
    /// Whether the message is a mark: a lone tombstone that announces its author.
    package var isMark: Bool { isEnd && revision == 1 }
}

extension Date {
    /// A time by the author's clock, clamped to the years 1 to 9999, which RFC 3339 can represent.
    init(sentAt milliseconds: Int64) {
        let held = min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_999)
        self.init(timeIntervalSince1970: Double(held) / 1_000)
    }
}
