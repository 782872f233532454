public import Foundation
public import Messages

/// The source of the stickers of a browser.
@preconcurrency @MainActor
public protocol MSStickerBrowserViewDataSource: AnyObject {
    /// How many stickers there are.
    func numberOfStickers(in stickerBrowserView: MSStickerBrowserView) -> Int

    /// The sticker of that number, from 0.
    func stickerBrowserView(
        _ stickerBrowserView: MSStickerBrowserView,
        stickerAt index: Int
    ) -> MSSticker
}

/// A grid of stickers among the views of a controller; a press puts one into the input field.
///
/// The default `body` of a controller shows grids in its `view`, and asks the source each time.
///
/// Apple's documentation:
/// <https://developer.apple.com/documentation/messages/msstickerbrowserview>.
@preconcurrency @MainActor
open class MSStickerBrowserView: UIView {
    /// The size, which says how many stand side by side: 4 small, 3 regular or 2 large ones.
    open private(set) var stickerSize = MSStickerSize.regular

    /// The source of the stickers.
    open weak var dataSource: (any MSStickerBrowserViewDataSource)? {
        didSet { showAnew() }
    }

    /// How far the grid is scrolled; kept and not applied.
    open var contentOffset = CGPoint.zero
    /// The space around the grid; kept and not applied.
    open var contentInset = UIEdgeInsets.zero

    /// A grid of stickers of the regular size.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// A grid of stickers of that size.
    public init(frame: CGRect, stickerSize: MSStickerSize) {
        self.stickerSize = stickerSize
        super.init(frame: frame)
    }

    /// A grid of stickers of the regular size; nothing is read from the coder.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Sets `contentOffset`.
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        self.contentOffset = contentOffset
    }

    /// Asks the source again.
    open func reloadData() { showAnew() }

    private var columns: Int {
        switch stickerSize {
        case .small: 4
        case .regular: 3
        case .large: 2
        }
    }

    override var ownBody: ParleyView? {
        guard let dataSource else { return nil }
        let count = min(dataSource.numberOfStickers(in: self), ParleyView.Limits.nodesMax)
        return .grid(columns: columns) {
            for index in 0..<max(0, count) {
                stickerBody(dataSource.stickerBrowserView(self, stickerAt: index))
                    .id("sticker \(index)")
            }
        }
    }
}
