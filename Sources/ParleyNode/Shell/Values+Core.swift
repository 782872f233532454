package import Foundation
package import ParleyCore
import ParleyKeys

extension Bytes16 {
    /// The sixteen bytes as a UUID.
    package var uuid: UUID {
        let b = bytes
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
                b[13], b[14], b[15]
            )
        )
    }

    package init(_ uuid: UUID) {
        self = withUnsafeBytes(of: uuid.uuid) { bytes in
            Bytes16(reading: Slice(Array(bytes)), at: 0)
        }
    }
}

extension ParticipantID {
    package var uuid: UUID { value.uuid }
}

extension MessageID {
    package init(_ dot: Dot) {
        self.init(description: dot.description)
    }

    package var dot: Dot? { Dot(description) }
}

extension SessionID {
    package init(_ session: SessionUUID) {
        self.init(session.value.uuid)
    }

    /// The ID of a session that this node cannot open, made from its tag.
    init(_ tag: SessionTag) {
        self.init(tag.value.uuid)
    }

    package var core: SessionUUID { SessionUUID(Bytes16(uuid)) }
}

extension Role {
    init(_ role: Capability.Role) {
        self =
            switch role {
            case .writer: .writer
            case .reader: .reader
            case .relay: .relay
            }
    }

    var core: Capability.Role {
        switch self {
        case .writer: .writer
        case .reader: .reader
        case .relay: .relay
        }
    }
}

extension MessageContent {
    init(_ body: MessageBody) {
        self.init()
        url = body.url
        app = body.app.isEmpty ? nil : body.app
        summaryText = body.summaryText
        accessibilityLabel = body.accessibilityLabel
        shouldExpire = body.shouldExpire
        layout = body.layout.map(ContentLayout.init)
        placement = body.placement.flatMap(Placement.init)
        switch body.role {
        case .match(let state): match = Match(state)
        case .side(let side): addition = Addition(side)
        case nil: break
        }
        text = body.text
        reply = body.reply.map { SessionID($0) }
        file = body.file.map { FileInfo($0) }
    }

    /// The body of a new message of `session`.
    ///
    /// - Throws: `badDraft` or `tooLarge` for a role that no envelope can have.
    func body(session: SessionUUID, sentAt: Date) throws(NodeError) -> MessageBody {
        MessageBody(
            session: session,
            place: 1,
            sentAt: Int64((sentAt.timeIntervalSince1970 * 1_000).rounded()),
            app: app ?? "",
            url: url,
            summaryText: summaryText,
            accessibilityLabel: accessibilityLabel,
            shouldExpire: shouldExpire,
            layout: layout?.core,
            placement: placement?.core,
            role: try role(),
            text: text,
            reply: reply?.core,
            file: file?.core
        )
    }
}

extension MessageContent {
    private func role() throws(NodeError) -> MessageRole? {
        guard let match else {
            return try addition.map { (side) throws(NodeError) in
                .side(try side.core())
            }
        }
        guard addition == nil else {
            throw .badDraft("a message of a game is no addition to another session")
        }
        return .match(try match.core())
    }
}

extension Placement {
    init?(_ placement: StickerPlacement) {
        self.init(
            on: MessageID(placement.message),
            x: Int(placement.x),
            y: Int(placement.y)
        )
    }

    /// The placement in an envelope; nil if the message ID is not one of an envelope.
    var core: StickerPlacement? {
        message.dot.map { StickerPlacement(on: $0, x: UInt64(x), y: UInt64(y)) }
    }
}

extension AdditionTarget {
    /// The target in an envelope; nil if the message ID is not one of an envelope.
    var core: SideTarget? {
        switch self {
        case .message(let message): message.dot.map { .message($0) }
        case .session(let session): .session(session.core)
        }
    }
}

extension FileInfo {
    init(_ file: FileDescription) {
        self.init(
            name: file.name,
            type: file.type,
            bytes: Int(file.size),
            sha256: file.hash.hex
        )
    }

    /// The description in an envelope; nil if the hash is none, which nothing here makes.
    fileprivate var core: FileDescription? {
        Bytes32(hex: sha256).map {
            FileDescription(name: name, type: type, hash: $0, size: UInt64(max(0, bytes)))
        }
    }
}

extension ContentLayout {
    init(_ layout: MessageLayout) {
        self.init()
        let template = layout.template
        caption = template.caption
        subcaption = template.subcaption
        trailingCaption = template.trailingCaption
        trailingSubcaption = template.trailingSubcaption
        imageTitle = template.imageTitle
        imageSubtitle = template.imageSubtitle
        if case .live = layout { isLive = true }
    }

    var core: MessageLayout {
        let template = TemplateLayout(
            caption: caption,
            subcaption: subcaption,
            trailingCaption: trailingCaption,
            trailingSubcaption: trailingSubcaption,
            imageTitle: imageTitle,
            imageSubtitle: imageSubtitle
        )
        return isLive ? .live(alternate: template) : .template(template)
    }
}

extension SentMessage {
    /// Makes the value of a message that `nodes` other nodes have stored.
    package init(_ message: AuthoredMessage, _ state: State = .stored, nodes: Int = 0) {
        self.init(
            session: SessionID(message.session),
            id: MessageID(message.dot),
            revision: message.revision,
            state: state,
            nodes: nodes
        )
    }
}
