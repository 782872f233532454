public import Foundation

/// A picture with up to two lines over it and four captions under it; everything is optional.
///
/// `$` followed by the UUID of a participant is shown as that person's name.
open class MSMessageTemplateLayout: MSMessageLayout {
    /// Bottom left, under the picture, up to 3 lines.
    open var caption: String?
    /// Under the caption.
    open var subcaption: String?
    /// At the right of the caption's line, up to 3 lines.
    open var trailingCaption: String?
    /// At the right of the subcaption's line.
    open var trailingSubcaption: String?
    /// The picture, whose bytes are sent unchanged; if it is set, `mediaFileURL` is ignored.
    open var image: UIImage?
    /// A local file with a picture or a movie.
    open var mediaFileURL: URL?
    /// Over the picture, at its bottom left.
    open var imageTitle: String?
    /// Over the picture, under `imageTitle`.
    open var imageSubtitle: String?

    /// A layout with nothing in it.
    public override init() {
        super.init()
    }

    /// Another layout with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = MSMessageTemplateLayout()
        copy.caption = caption
        copy.subcaption = subcaption
        copy.trailingCaption = trailingCaption
        copy.trailingSubcaption = trailingSubcaption
        copy.image = image
        copy.mediaFileURL = mediaFileURL
        copy.imageTitle = imageTitle
        copy.imageSubtitle = imageSubtitle
        return copy
    }
}
