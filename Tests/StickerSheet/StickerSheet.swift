public import Foundation
public import Messages

/// An app for tests: a button stages a sticker with a golden star.
public final class StickerSheet: MSMessagesAppViewController {
    /// The picture of the sticker, 96 pixels wide and high.
    nonisolated public static let star =
        Data(base64Encoded: starText) ?? Data()

    private let file = FileManager.default.temporaryDirectory
        .appending(path: "sticker-sheet-\(UUID().uuidString).png")

    /// The one button.
    public override var body: ParleyView {
        .column {
            ParleyView.text("Stickers", style: .title)
            ParleyView.button("Golden star") { [weak self] in self?.stage() }.id("star")
        }
    }

    private func stage() {
        do {
            try Self.star.write(to: file)
            let sticker = try MSSticker(
                contentsOfFileURL: file,
                localizedDescription: "A golden star"
            )
            activeConversation?.insert(sticker)
        } catch {
            // The test does not find the sticker.
        }
    }

    deinit {
        // If the file cannot be removed, it stays in the temporary directory.
        try? FileManager.default.removeItem(at: file)
    }

    nonisolated private static let starText = """
        iVBORw0KGgoAAAANSUhEUgAAAGAAAABgAgMAAACf9p+rAAAACVBMVEUAAAD////1tB66b2SVAAAAAXRSTlMAQObY\
        ZgAAAZRJREFUeNrNlTGOxCAMRYM09NPkPmm2z0pxpKWfhvtwBAo45QKGxBiniLLFUo14yTff+Gem6cn6/voroHa3\
        3AN6d6sMjL8JZhu2ewBsABnEeA+oPUbR4SXQGayivxj9LTDbGEWH90HyJzu8AgrBIhoXrV+C7E90eAlmBMyIBgCb\
        QUg/VrIJFADCtl9sJCMHUefjuPClBZvHV26mFvYTSVJGAj5LSSBLgVSjnErQ8uVU+wjcVpyPoLRF0PJ4kTBoObz6\
        edCCrY6B5YetF8yL+DZEXAu246ost91mzQiHLVr7YFvQOpWYlqfzS8076OaKNfDUsoPt9oE5QT+53XXznNUaDwH1\
        MQawguUZMP08s8hWsD4DGFlbw9R/xNKzpuWPAYz0CAKmugOAl41XDwwE2ObyCgceVl3GCFjXIW2U8q7vYcAvju26\
        WP4h8tgo2AeAochRocDk0jiShvY99RDqWVJ50kVtQotXskKAMq5NbCpPpeyRx/QK6bv+nLOv4YcmirQBSA40kFbP\
        JDmvNxkZ9XpP/3b9AoriJLxkxeAGAAAAAElFTkSuQmCC
        """
}
