public import Foundation
public import Messages

/// A controller that shows a grid of stickers, given by a subclass.
///
/// Apple's documentation:
/// <https://developer.apple.com/documentation/messages/msstickerbrowserviewcontroller>.
@preconcurrency @MainActor
open class MSStickerBrowserViewController: UIViewController, MSStickerBrowserViewDataSource {
    /// The grid, which is the `view` of this controller.
    public let stickerBrowserView: MSStickerBrowserView

    /// The size of the stickers.
    public var stickerSize: MSStickerSize { stickerBrowserView.stickerSize }

    /// A grid of stickers of that size.
    public init(stickerSize: MSStickerSize) {
        stickerBrowserView = MSStickerBrowserView(frame: .zero, stickerSize: stickerSize)
        super.init(nibName: nil, bundle: nil)
        fillView()
    }

    /// A grid of stickers of the regular size; both names are ignored, as there are no nibs.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        stickerBrowserView = MSStickerBrowserView(frame: .zero)
        super.init(nibName: nil, bundle: nil)
        fillView()
    }

    /// A grid of stickers of the regular size; nothing is read from the coder.
    public required init?(coder: NSCoder) {
        stickerBrowserView = MSStickerBrowserView(frame: .zero)
        super.init(coder: coder)
        fillView()
    }

    private func fillView() {
        stickerBrowserView.dataSource = self
        view = stickerBrowserView
    }

    /// The number of stickers: none, unless a subclass has some.
    open func numberOfStickers(in stickerBrowserView: MSStickerBrowserView) -> Int { 0 }

    /// The sticker at `index`; without a subclass, an empty sticker.
    open func stickerBrowserView(
        _ stickerBrowserView: MSStickerBrowserView,
        stickerAt index: Int
    ) -> MSSticker {
        MSSticker()
    }
}
