import Messages
import UIKit

class MessagesViewController: MSMessagesAppViewController {
    var stickers = [MSSticker]()
    private var lastErrorCode: Int?

    override func viewDidLoad() {
        super.viewDidLoad()
        loadStickers()
    }

    private func loadStickers() {
        for flavour in Flavour.allCases {
            createSticker(asset: flavour.rawValue, localizedDescription: flavour.rawValue)
        }
    }

    func createSticker(asset: String, localizedDescription: String) {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("parlour-\(asset)-\(UUID().uuidString).gif")
        // The smallest picture there is: one pixel.
        let gif = Data(base64Encoded: "R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            try gif?.write(to: file)
            let sticker = try MSSticker(
                contentsOfFileURL: file,
                localizedDescription: localizedDescription
            )
            stickers.append(sticker)
        } catch {
            print(error)
            return
        }
    }

    override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        guard Order(message) != nil else { return }
        requestPresentationStyle(.expanded)
    }

    func order(_ flavour: Flavour) {
        guard let conversation = activeConversation else { return }
        let order = Order(flavour: flavour, scoops: 2)
        conversation.insert(order.compose(with: conversation.selectedMessage?.session))
        conversation.insertText("Yum", completionHandler: nil)
        conversation.insertAttachment(
            URL(fileURLWithPath: "/menu.pdf"),
            withAlternateFilename: "Menu"
        )
        if let sticker = stickers.first { conversation.insert(sticker, completionHandler: nil) }
        self.dismiss()
    }

    override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        switch presentationStyle {
        case .compact: break
        case .expanded: break
        case .transcript: break
        @unknown default: break
        }
        if presentationContext == .media { return }
    }
}
