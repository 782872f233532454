package import Foundation
package import Messages
package import ParleyNode

/// Turns a message of the node into the contents that an app sees, or into a fault; an app never
/// gets a part of a message.
package enum IncomingMessage {
    /// Reads the contents of a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - picture: The bytes of the picture; nil without a picture, or while the node lacks it.
    ///   - media: The directory for sounds and movies.
    /// - Returns: the complete contents.
    /// - Throws: the reason why an app does not get the message.
    package static func contents(
        of message: Message,
        picture: Data?,
        media: MediaFiles
    ) throws(MessageFault) -> MessageContents {
        try contents(of: message) { template throws(MessageFault) in
            guard let described = message.picture else { return }
            try insert(picture, of: message.id, described, in: &template, media)
        }
    }

    /// The contents of a message without its picture; nil if an app cannot have them.
    package static func withoutPicture(_ message: Message) -> MessageContents? {
        try? contents(of: message) { _ in }
    }

    private static func contents(
        of message: Message,
        addingPicture add: (inout TemplateContents) throws(MessageFault) -> Void
    ) throws(MessageFault) -> MessageContents {
        guard !message.isEnd else { throw .ended }
        if let fault = message.fault { throw .againstTheRules(fault) }
        guard let content = message.content else { throw .unreadable }
        var contents = MessageContents()
        contents.session = SessionMapping.identifier(message.session)
        contents.urlString = content.url
        if let url = content.url {
            guard url.count <= MessageLimits.urlCharacters else { throw .urlTooLong(url.count) }
            guard MessageContents.url(url) != nil else { throw .badURL }
        }
        contents.summaryText = content.summaryText
        contents.accessibilityLabel = content.accessibilityLabel
        contents.shouldExpire = content.shouldExpire
        guard let layout = content.layout else { return contents }
        var template = layout.template
        try add(&template)
        contents.layout = layout.isLive ? .live(alternate: template) : .template(template)
        return contents
    }

    private static func insert(
        _ bytes: Data?,
        of message: MessageID,
        _ described: PictureInfo,
        in template: inout TemplateContents,
        _ media: MediaFiles
    ) throws(MessageFault) {
        guard let bytes else { throw .pictureMissing }
        guard bytes.count == described.bytes else {
            throw .pictureSize(said: described.bytes, found: bytes.count)
        }
        let type = described.type.lowercased()
        if type.hasPrefix("image/") {
            template.image = try image(bytes, type)
        } else if let fileExtension = MediaType.fileExtension(ofMedia: type) {
            template.mediaFileURL = try media.keep(
                bytes,
                name: message.description,
                fileExtension: fileExtension
            )
        } else {
            throw .unknownMedia(described.type)
        }
    }

    private static func image(_ bytes: Data, _ type: String) throws(MessageFault) -> EncodedImage {
        guard let image = try? EncodedImage(bytes) else { throw .notAPicture(said: type) }
        let found = image.format.mediaType
        // An animated PNG is also a PNG, so either media type is right for it.
        guard type == found || [type, found].sorted() == ["image/apng", "image/png"] else {
            throw .pictureType(said: type, found: found)
        }
        return image
    }
}
