import Foundation
import ParleyAPI
import ParleyNode

extension EntryDocument {
    init(_ message: Message) {
        self.init(
            kind: "message",
            session: message.session.description,
            id: message.id.description,
            revision: message.revision,
            sender: SenderDocument(message.sender),
            sentAt: message.sentAt,
            url: message.content?.url,
            summaryText: message.content?.summaryText,
            accessibilityLabel: message.content?.accessibilityLabel,
            app: message.content?.app,
            layout: message.content?.layout.map { LayoutDocument($0, message.picture) },
            placement: message.content?.placement.map(PlacementDocument.init),
            conflict: message.isConflict,
            next: message.next.isEmpty ? nil : message.next.map(\.uuidString),
            unreadable: message.content == nil ? true : nil,
            end: message.isEnd ? true : nil
        )
    }

    init(_ summary: Summary) {
        self.init(
            kind: "summary",
            session: summary.session.description,
            id: summary.id.description,
            revision: summary.revision,
            sender: SenderDocument(summary.sender),
            sentAt: summary.sentAt,
            summaryText: summary.summaryText
        )
    }

    init(_ entry: TranscriptEntry) {
        switch entry {
        case .message(let message): self.init(message)
        case .summary(let summary): self.init(summary)
        }
    }
}

extension SenderDocument {
    init(_ participant: Participant) {
        self.init(
            device: participant.device,
            participant: participant.id.uuidString,
            name: participant.name
        )
    }
}

extension LayoutDocument {
    /// Makes the document of a layout and the picture of its message.
    init(_ layout: ContentLayout, _ picture: PictureInfo?) {
        self.init(
            caption: layout.caption,
            subcaption: layout.subcaption,
            trailingCaption: layout.trailingCaption,
            trailingSubcaption: layout.trailingSubcaption,
            imageTitle: layout.imageTitle,
            imageSubtitle: layout.imageSubtitle,
            image: picture.map(ImageDocument.init),
            live: layout.isLive ? true : nil
        )
    }
}

extension ImageDocument {
    init(_ picture: PictureInfo) {
        self.init(
            sha256: picture.sha256,
            type: picture.type,
            bytes: picture.bytes,
            here: picture.isHere
        )
    }
}

extension SessionDocument {
    init(_ detail: SessionDetail) {
        self.init(
            conversation: detail.conversation,
            session: detail.session.description,
            shown: EntryDocument(detail.shown),
            others: detail.others.map(EntryDocument.init),
            replaced: detail.replaced.map(EntryDocument.init)
        )
    }
}

extension TranscriptDocument {
    init(_ page: TranscriptPage) {
        self.init(
            entries: page.entries.map { EntryDocument($0) },
            next: page.next?.description
        )
    }
}

extension ConflictDocument {
    init(_ conflict: Conflict) {
        self.init(
            conversation: conflict.conversation,
            session: conflict.session.description,
            shown: EntryDocument(conflict.shown),
            others: conflict.others.map(EntryDocument.init)
        )
    }
}

extension SentDocument {
    /// Makes the document of a sent message; `isDelivered` says whether the request waited for
    /// other nodes.
    init(_ sent: SentMessage, isDelivered: Bool, line: Int? = nil) {
        self.init(
            session: sent.session.description,
            id: sent.id.description,
            revision: sent.revision,
            state: isDelivered ? "delivered" : "stored",
            nodes: sent.nodes,
            line: line
        )
    }
}
