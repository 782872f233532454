import Messages
import UIKit

/// A pack of stickers, as one starts with iMessage apps: the root contains a sticker browser.
public class StickerPackViewController: MSMessagesAppViewController {
    /// The folder of the pictures; on a phone these are files of the bundle.
    public static var folder = Bundle.main.bundleURL

    private let browserViewController = StickerPackBrowserViewController(stickerSize: .small)

    override public func viewDidLoad() {
        super.viewDidLoad()
        browserViewController.view.frame = self.view.frame
        self.addChild(browserViewController)
        browserViewController.didMove(toParent: self)
        self.view.addSubview(browserViewController.view)
        browserViewController.loadStickers()
        browserViewController.stickerBrowserView.reloadData()
        browserViewController.changeBrowserViewBackgroundColor(color: UIColor.systemGray6)
    }
}

class StickerPackBrowserViewController: MSStickerBrowserViewController {
    var stickers = [MSSticker]()

    func changeBrowserViewBackgroundColor(color: UIColor) {
        stickerBrowserView.backgroundColor = color
    }

    func loadStickers() {
        createSticker(asset: "wave", localizedDescription: "a wave")
        createSticker(asset: "heart", localizedDescription: "a heart")
        createSticker(asset: "missing", localizedDescription: "nothing")
    }

    func createSticker(asset: String, localizedDescription: String) {
        let stickerURL = StickerPackViewController.folder.appendingPathComponent(asset + ".png")
        let sticker: MSSticker
        do {
            try sticker = MSSticker(
                contentsOfFileURL: stickerURL,
                localizedDescription: localizedDescription
            )
            stickers.append(sticker)
        } catch {
            print(error)
            return
        }
    }

    override func numberOfStickers(in stickerBrowserView: MSStickerBrowserView) -> Int {
        stickers.count
    }

    override func stickerBrowserView(
        _ stickerBrowserView: MSStickerBrowserView,
        stickerAt index: Int
    ) -> MSSticker {
        stickers[index]
    }
}
