public import Foundation
public import Messages

/// A sticker among the views of a controller; a press puts it into the input field.
///
/// The default `body` of a controller shows the stickers in its `view`.
///
/// Apple's documentation: <https://developer.apple.com/documentation/messages/msstickerview>.
@preconcurrency @MainActor
open class MSStickerView: UIView {
    /// The sticker; nil shows nothing.
    open var sticker: MSSticker? {
        didSet { showAnew() }
    }

    /// 0, as a picture moves by itself where it is shown.
    open var animationDuration: TimeInterval { 0 }

    /// A view with that sticker.
    public init(frame: CGRect, sticker: MSSticker?) {
        self.sticker = sticker
        super.init(frame: frame)
    }

    /// A view without a sticker.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// A view without a sticker; nothing is read from the coder.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Does nothing: a picture moves by itself.
    open func startAnimating() {}

    /// Does nothing: a picture moves by itself.
    open func stopAnimating() {}

    /// Returns false.
    open func isAnimating() -> Bool { false }

    override var ownBody: ParleyView? { sticker.map(stickerBody) }
}
