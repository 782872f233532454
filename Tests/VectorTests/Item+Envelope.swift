import ParleyCore

extension Item {
    init(_ header: EnvelopeHeader) {
        self = .array(
            "header",
            [
                .bytes("tag", header.tag),
                .bytes("origin", header.dot.origin),
                .number("sequence", header.dot.sequence),
                .number("revision", header.revision),
                .bytes("context", header.context.flatMap(\.packed)),
                .bytes("next", header.next.flatMap(\.bytes)),
                .bool("tombstone", header.isTombstone),
                .array(
                    "blobs",
                    header.blobs.map { blob in
                        .array("blob", [.bytes("hash", blob.id), .number("size", blob.size)])
                    }
                ),
            ]
        )
    }

    init(_ proof: EnvelopeProof) {
        guard proof.isBatch else {
            self = .array(
                "proof",
                [.number("type", 1), .bytes("signature", proof.signature.bytes)]
            )
            return
        }
        self = .array(
            "proof",
            [
                .number("type", 2),
                .bytes("signature", proof.signature.bytes),
                .number("index", proof.index),
                .bytes("path", proof.path.flatMap(\.bytes)),
            ]
        )
    }

    init(_ body: MessageBody) {
        var items: [(UInt64, Item)] = [
            (1, .bytes("session", body.session)), (3, .number("place", body.place)),
            (5, .number("sent at", body.sentAt)), (7, .text("app", body.app)),
        ]
        if let text = body.summaryText { items.append((2, .text("summary text", text))) }
        if let text = body.accessibilityLabel {
            items.append((4, .text("accessibility label", text)))
        }
        if !body.blobTypes.isEmpty {
            items.append((6, .array("blob types", body.blobTypes.map { Item($0) })))
        }
        if let picture = body.inline {
            let parts: [Item] = [
                .text("type", picture.type), .bytes("content", picture.bytes.bytes),
            ]
            items.append((8, .array("inline picture", parts)))
        }
        if let url = body.url { items.append((9, .text("URL", url))) }
        if let name = body.deviceName { items.append((10, .text("device name", name))) }
        if let layout = body.layout { items.append((11, Item(layout))) }
        if let placement = body.placement {
            let parts: [(UInt64, Item)] = [
                (1, .bytes("message", placement.message.packed)),
                (3, .number("x", placement.x)), (5, .number("y", placement.y)),
            ]
            items.append((12, .map("placement", parts)))
        }
        if body.shouldExpire { items.append((13, .bool("should expire", true))) }
        switch body.role {
        case .match(let match): items.append((14, Item(match)))
        case .side(let side): items.append((16, Item(side)))
        case nil: break
        }
        if let text = body.text { items.append((18, .text("text", text))) }
        if let reply = body.reply { items.append((20, .bytes("reply to", reply))) }
        if let file = body.file {
            let parts: [Item] = [
                .text("name", file.name), .text("type", file.type), .bytes("hash", file.hash),
                .number("size", file.size), .number("port", file.port),
            ]
            items.append((22, .array("file", parts)))
        }
        self = .map("body", items.sorted { $0.0 < $1.0 })
    }

    private init(_ match: MatchState) {
        var items: [(UInt64, Item)] = [(1, .number("phase", match.phase.rawValue))]
        let seats: [Item] = [
            .number("least", match.size.lowerBound), .number("most", match.size.upperBound),
            .bytes("seats", match.seats.flatMap(\.bytes)),
        ]
        items.append((3, .array("size and seats", seats)))
        if !match.turn.isEmpty {
            items.append((4, .array("turn", match.turn.map { .number("seat", $0) })))
        }
        if let clock = match.clock { items.append((6, .number("clock", clock))) }
        if !match.outcomes.isEmpty {
            let outcomes = match.outcomes.map { outcome in
                Item.array(
                    "outcome",
                    [
                        .number("result", outcome.result.rawValue),
                        .number("place", outcome.place), .number("score", outcome.score),
                    ]
                )
            }
            items.append((8, .array("outcomes", outcomes)))
        }
        if let claim = match.claim {
            let parts: [Item] = [
                .bytes("message", claim.message.packed), .number("action", claim.action.rawValue),
            ]
            items.append((10, .array("claim", parts)))
        }
        if let previous = match.previous { items.append((12, .bytes("previous", previous))) }
        if let undone = match.undone { items.append((14, .bytes("undone", undone.packed))) }
        if !match.overruled.isEmpty {
            items.append((16, .bytes("overruled", match.overruled.flatMap(\.packed))))
        }
        if match.mayUndo { items.append((22, .bool("may be undone", true))) }
        self = .map("match", items)
    }

    private init(_ side: SideMessage) {
        let items: [(UInt64, Item)] = [
            (1, .bytes("session", side.session)), (3, .number("kind", side.kind)),
            (5, .number("slot", side.slot)), (7, .bytes("content", side.content.bytes)),
        ]
        self = .map("addition", items)
    }

    private init(_ picture: PictureDescription) {
        self = .array(
            "picture",
            [
                .text("type", picture.type), .bytes("hash", picture.hash),
                .number("size", picture.size),
            ]
        )
    }

    private init(_ layout: MessageLayout) {
        switch layout {
        case .template(let template):
            self = Item(template, name: "layout")
        case .live(let alternate):
            let items: [(UInt64, Item)] = [
                (1, .number("kind", 1)), (3, Item(alternate, name: "alternate")),
            ]
            self = .map("layout", items)
        }
    }

    private init(_ template: TemplateLayout, name: String) {
        let texts: [(UInt64, String, String?)] = [
            (2, "caption", template.caption),
            (4, "subcaption", template.subcaption),
            (6, "trailing caption", template.trailingCaption),
            (8, "trailing subcaption", template.trailingSubcaption),
            (10, "image title", template.imageTitle),
            (12, "image subtitle", template.imageSubtitle),
        ]
        var items: [(UInt64, Item)] = [(1, .number("kind", 0))]
        for (key, name, text) in texts {
            if let text { items.append((key, .text(name, text))) }
        }
        switch template.image {
        case .blob(let index): items.append((14, .number("image", index)))
        case .inline: items.append((14, .number("image", -1)))
        case nil: break
        }
        self = .map(name, items)
    }
}
