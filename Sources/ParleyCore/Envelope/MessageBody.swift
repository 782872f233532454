/// The part of an envelope that only readers can open: content for people, and the app's data.
package struct MessageBody: Sendable, Equatable {
    package var session: SessionUUID
    /// The highest place that the author knew in the conversation plus 1, below 2^48.
    package var place: UInt64
    /// Milliseconds since 1970, by the author's clock; for display only.
    package var sentAt: Int64
    /// The app that understands the URL, a reverse domain name; may be empty; at most 255 bytes.
    package var app: String
    /// The URL as the author gave it, byte for byte; at most 20,000 bytes.
    package var url: String?
    /// The line that remains of a replaced message; at most 256 bytes.
    package var summaryText: String?
    /// The text for screen readers; at most 1,024 bytes.
    package var accessibilityLabel: String?
    package var shouldExpire: Bool
    package var layout: MessageLayout?
    /// The place of the layout's picture on another message, if this is a sticker.
    package var placement: StickerPlacement?
    /// The descriptions of the blobs in the header, in the same order.
    package var blobTypes: [PictureDescription]
    /// A picture that is short enough for the body.
    package var inline: InlinePicture?
    /// The name of the author's device, 1 to 64 bytes, for members without a link to the device.
    package var deviceName: String?
    /// What the message is to the nodes, beside its content for people and apps.
    package var role: MessageRole?
    /// The whole text if the layout's caption holds only its beginning; at most 40,000 bytes.
    package var text: String?
    /// The session that the message replies to.
    package var reply: SessionUUID?
    /// The file that the author offers.
    package var file: FileDescription?

    package init(
        session: SessionUUID,
        place: UInt64,
        sentAt: Int64,
        app: String = "",
        url: String? = nil,
        summaryText: String? = nil,
        accessibilityLabel: String? = nil,
        shouldExpire: Bool = false,
        layout: MessageLayout? = nil,
        placement: StickerPlacement? = nil,
        blobTypes: [PictureDescription] = [],
        inline: InlinePicture? = nil,
        deviceName: String? = nil,
        role: MessageRole? = nil,
        text: String? = nil,
        reply: SessionUUID? = nil,
        file: FileDescription? = nil
    ) {
        self.session = session
        self.place = place
        self.sentAt = sentAt
        self.app = app
        self.url = url
        self.summaryText = summaryText
        self.accessibilityLabel = accessibilityLabel
        self.shouldExpire = shouldExpire
        self.layout = layout
        self.placement = placement
        self.blobTypes = blobTypes
        self.inline = inline
        self.deviceName = deviceName
        self.role = role
        self.text = text
        self.reply = reply
        self.file = file
    }
}

/// What a message is to the nodes; boxed, as most messages have no role.
package indirect enum MessageRole: Sendable, Equatable {
    /// A message of a turn game.
    case match(MatchState)
    /// An addition to another session.
    case side(SideMessage)
}

/// The description of an opened blob.
package struct PictureDescription: Sendable, Equatable {
    /// Media type, at most 127 bytes.
    package var type: String
    /// SHA-256 of the opened bytes.
    package var hash: Bytes32
    /// The number of opened bytes.
    package var size: UInt64

    package init(type: String, hash: Bytes32, size: UInt64) {
        self.type = type
        self.hash = hash
        self.size = size
    }
}

/// A picture in the body, of at most `Limits.inlineBytes` bytes.
package struct InlinePicture: Sendable, Equatable {
    /// Media type, at most 127 bytes.
    package var type: String
    package var bytes: Slice

    package init(type: String, bytes: Slice) {
        self.type = type
        self.bytes = bytes
    }
}

/// The look of a message.
package enum MessageLayout: Sendable, Equatable {
    case template(TemplateLayout)
    /// Drawn by the app itself; a host without the app draws the alternate.
    case live(alternate: TemplateLayout)
}

/// The standard bubble: a picture with two lines over it and four captions under it.
///
/// Each text is at most 1,024 bytes.
package struct TemplateLayout: Sendable, Equatable {
    package var caption: String?
    package var subcaption: String?
    package var trailingCaption: String?
    package var trailingSubcaption: String?
    package var imageTitle: String?
    package var imageSubtitle: String?
    package var image: ImageReference?

    package init(
        caption: String? = nil,
        subcaption: String? = nil,
        trailingCaption: String? = nil,
        trailingSubcaption: String? = nil,
        imageTitle: String? = nil,
        imageSubtitle: String? = nil,
        image: ImageReference? = nil
    ) {
        self.caption = caption
        self.subcaption = subcaption
        self.trailingCaption = trailingCaption
        self.trailingSubcaption = trailingSubcaption
        self.imageTitle = imageTitle
        self.imageSubtitle = imageSubtitle
        self.image = image
    }
}

/// The location of a layout's picture.
package enum ImageReference: Sendable, Equatable {
    /// The index of a blob of the header.
    case blob(Int)
    case inline
}
