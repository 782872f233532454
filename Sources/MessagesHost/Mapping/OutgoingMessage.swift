import Foundation
package import Messages
package import ParleyNode

/// Turns the items that an app hands over into drafts for the node.
package enum OutgoingMessage {
    /// The app names of text, stickers and attachments, which are messages of no app.
    package static let textApp = "parley.text"
    package static let stickerApp = "parley.sticker"
    package static let attachmentApp = MessageContent.attachmentApp

    /// Makes the draft of a message of `app`; a text or picture that is too large is refused, not
    /// cut.
    package static func draft(
        _ contents: MessageContents,
        app: String
    ) throws(HostError) -> Draft {
        do throws(MessagesFailure) {
            try contents.checkURL(charactersMax: MessageLimits.urlCharacters)
        } catch {
            throw HostError(error)
        }
        var content = MessageContent()
        content.app = app
        content.url = contents.urlString
        content.summaryText = try checked(
            contents.summaryText,
            "the summary",
            MessageLimits.summaryBytes
        )
        content.accessibilityLabel = try checked(
            contents.accessibilityLabel,
            "the accessibility label",
            MessageLimits.accessibilityLabelBytes
        )
        content.shouldExpire = contents.shouldExpire
        content.layout = try contents.layout.map(layout)
        var draft = Draft(session: SessionMapping.session(contents.session), content: content)
        if let layout = contents.layout { draft.picture = try picture(of: layout.template) }
        draft.tellsDelivery = true
        return draft
    }

    private static func layout(_ contents: LayoutContents) throws(HostError) -> ContentLayout {
        let layout = ContentLayout(contents)
        for (name, path) in ContentLayout.texts {
            let words = name.replacing(/[A-Z]/) { " " + $0.output.lowercased() }
            _ = try checked(layout[keyPath: path], "the \(words)")
        }
        return layout
    }

    private static func checked(
        _ text: String?,
        _ what: String,
        _ limit: Int = MessageLimits.captionBytes
    ) throws(HostError) -> String? {
        guard let size = text?.utf8.count, size > limit else { return text }
        throw .tooLarge(what: what, size: size, limit: limit)
    }

    // MARK: Pictures

    /// The picture, or the file at the media URL if there is no picture.
    private static func picture(of template: TemplateContents) throws(HostError) -> Picture? {
        if let image = template.image { return try picture(image) }
        guard let url = template.mediaFileURL else { return nil }
        let data = try read(url)
        let image: EncodedImage
        do throws(ImageError) {
            image = try EncodedImage(data)
        } catch {
            // The media type of a sound or movie follows from the file's extension; its bytes are
            // not checked.
            guard let type = MediaType.ofMedia(fileExtension: url.pathExtension) else {
                throw .refused(
                    .improperFileType,
                    "The file is not a known kind of picture, sound or movie. \(error)"
                )
            }
            return Picture(type: type, bytes: data)
        }
        return try picture(image)
    }

    private static func picture(_ image: EncodedImage) throws(HostError) -> Picture {
        guard image.data.count <= MessageLimits.pictureBytes else {
            throw .tooLarge(
                what: "the picture",
                size: image.data.count,
                limit: MessageLimits.pictureBytes
            )
        }
        return Picture(type: image.format.mediaType, bytes: image.withoutMetadata.data)
    }

    private static func read(_ url: URL) throws(HostError) -> Data {
        do throws(MessagesFailure) {
            return try LocalFile(url).read(bytesMax: MessageLimits.pictureBytes)
        } catch {
            throw HostError(error)
        }
    }

    // MARK: Text, stickers and attachments

    /// Makes the draft of a text that a person or an app wrote, perhaps as a reply to a session.
    ///
    /// The caption is the beginning of a long text, for readers that know no others.
    package static func draft(
        text: String,
        replyingTo reply: SessionID? = nil
    ) throws(HostError) -> Draft {
        let limit = MessageLimits.textCharacters
        guard text.count <= limit else {
            throw .tooLarge(what: "the text", size: text.count, limit: limit)
        }
        _ = try checked(text, "the text in UTF-8", MessageLimits.textBytes)
        var content = MessageContent()
        content.app = textApp
        content.reply = reply
        var layout = ContentLayout()
        layout.caption = text
        if text.utf8.count > MessageLimits.captionBytes {
            layout.caption = text.cut(toBytes: MessageLimits.captionBytes)
            content.text = text
        }
        content.layout = layout
        return kept(Draft(session: SessionMapping.session(nil), content: content))
    }

    /// Makes the draft of a sticker that `app` chose, and checks its file again.
    package static func draft(sticker: StickerFile, app: String) throws(HostError) -> Draft {
        let image: EncodedImage
        do throws(MessagesFailure) {
            image = try sticker.read()
        } catch {
            throw HostError(error)
        }
        var content = MessageContent()
        content.app = stickerApp
        content.url = query(app)
        content.accessibilityLabel = sticker.localizedDescription
        content.layout = ContentLayout()
        var draft = Draft(session: SessionMapping.session(nil), content: content)
        draft.picture = try picture(image)
        return kept(draft)
    }

    /// Makes the draft that places a staged sticker on a message of others or of its own sender.
    package static func placed(_ sticker: Draft, at placement: Placement) -> Draft {
        var draft = sticker
        draft.content.placement = placement
        // Nodes without stickers on messages show this line after the sticker was peeled off.
        draft.content.summaryText = draft.content.accessibilityLabel.flatMap {
            $0.utf8.count <= MessageLimits.summaryBytes ? $0 : nil
        }
        return draft
    }

    /// Makes the draft that takes a text, a file, a sticker or an addition of one's own back.
    package static func takenBack(_ session: SessionID, app: String? = nil) -> Draft {
        var content = MessageContent()
        content.app = app
        var draft = Draft(session: session, content: content)
        draft.isOwn = true
        draft.isEnd = true
        return draft
    }

    /// Makes the draft of a file under the name to show.
    ///
    /// Any kind of file is accepted, but only the formats of stickers in the media context.
    package static func draft(
        attachment url: URL,
        name: String?,
        app: String,
        isAmongStickers: Bool
    ) throws(HostError) -> Draft {
        let data = try read(url)
        // A file that is no picture is an attachment too.
        let image = try? EncodedImage(data)
        if isAmongStickers, !(image.map { StickerFile.formats.contains($0.format) } ?? false) {
            throw .refused(.improperFileType, "Only PNG, APNG, GIF and JPEG can be inserted here.")
        }
        return try draft(
            file: data,
            name: name ?? url.lastPathComponent,
            fileExtension: url.pathExtension,
            app: app
        )
    }

    /// Makes the draft of a file.
    ///
    /// A picture loses its metadata unless the person keeps them.
    package static func draft(
        file data: Data,
        name: String,
        fileExtension: String? = nil,
        app: String? = nil,
        keepsMetadata: Bool = false
    ) throws(HostError) -> Draft {
        let file = try CheckedFile(data, name: name, fileExtension: fileExtension)
        var content = MessageContent()
        content.app = attachmentApp
        content.url = app.flatMap(query)
        _ = try checked(name, "the file name")
        let name = fileName(name)
        var layout = ContentLayout()
        layout.caption = name
        content.layout = layout
        var draft = Draft(session: SessionMapping.session(nil), content: content)
        let sent = keepsMetadata ? data : file.withoutMetadata ?? data
        draft.picture = Picture(type: file.type, bytes: sent)
        return kept(draft)
    }

    /// The name under which others see a file: the printable part of the path's last component.
    private static func fileName(_ path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        return GivenName(adapting: last, bytesMax: MessageLimits.captionBytes)?.text ?? "file"
    }

    private static func kept(_ draft: Draft) -> Draft {
        var draft = draft
        draft.isOwn = true
        draft.tellsDelivery = true
        return draft
    }

    /// The URL that names the app from which a sticker or attachment came.
    private static func query(_ app: String) -> String? {
        var components = URLComponents()
        components.queryItems = [URLQueryItem(name: "app", value: app)]
        return components.string
    }
}
