import Messages
import UIKit

/// Uses the app as a person would; ends the process if something is wrong.
@main
@MainActor
struct Check {
    static func main() async throws {
        let controller = MessagesViewController()
        controller.loadViewIfNeeded()
        precondition(
            controller.stickers.map { $0.localizedDescription } == ["vanilla", "walnut", "sorrel"]
        )
        let order = Order(flavour: .walnut, scoops: 3)
        let session = MSSession()
        let message = order.compose(with: session)
        precondition(message.session == session)
        precondition(
            message.url?.absoluteString == "www.parlour.example/order?flavour=walnut&scoops=3"
        )
        precondition(message.url?.scheme == nil)
        let layout = message.layout as? MSMessageTemplateLayout
        precondition(layout?.image?.size == CGSize(width: 30, height: 40))
        precondition(layout?.subcaption == "7.5")
        precondition(Order(message)?.scoops == 3)
        precondition(message.isPending)
        precondition(Flavour.sorrel.image?.size == CGSize(width: 12, height: 16))
        controller.order(.sorrel)
        do {
            _ = try MSSticker(
                contentsOfFileURL: URL(fileURLWithPath: "/nowhere.png"),
                localizedDescription: ""
            )
            preconditionFailure()
        } catch let error as NSError {
            precondition(error.code == MSMessageErrorCode.fileNotFound.rawValue)
        }
        #if canImport(UIKit)
        print("ParlourStore works")
        #endif
    }
}
