import Messages
import MessagesHost
import ParleyAPI

extension AppPanel {
    /// Whether there is something to send.
    var isFieldFilled: Bool { draft != nil || !text.isEmpty || itemCount > 0 }
}

extension FieldDocument.Part {
    /// Makes the document of what an app has put into the input field.
    @MainActor
    init(_ panel: AppPanel) {
        self.init(app: panel.app.id, appName: panel.app.name, items: panel.itemCount)
        text = panel.text.isEmpty ? nil : panel.text
        let staged = panel.stickers.map { StagedStickerDocument($0, in: panel) }
        stickers = staged.isEmpty ? nil : staged
        draft = panel.draft.map { FieldDocument.StagedMessage($0, of: panel) }
    }
}

extension FieldDocument.StagedMessage {
    @MainActor
    fileprivate init(_ message: MSMessage, of panel: AppPanel) {
        let live = message.layout as? MSMessageLiveLayout
        let template = live?.alternateLayout ?? message.layout as? MSMessageTemplateLayout
        let names = { (text: String) in panel.resolved(text) }
        self.init(
            line: names(template?.caption ?? message.summaryText ?? "A message")
        )
        url = message.url?.absoluteString
        label = message.accessibilityLabel.map(names)
        layout = message.layout.flatMap(LayoutContents.init).map {
            ContentLayout($0).mapTexts(names)
        }
        if let image = template?.image, let encoded = image.encoded {
            let tag = PictureTags.shared.tag(of: encoded, in: image)
            picture = .init(
                url: PicturePath(panel).draft(tag: tag),
                type: encoded.format.mediaType,
                bytes: encoded.data.count,
                here: true,
                width: encoded.width,
                height: encoded.height
            )
        }
        error = message.error.map { error in
            (error as? HostError).map { Problem($0).message } ?? error.localizedDescription
        }
    }
}
