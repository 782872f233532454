public import Foundation
import Messages

/// The way of an app to its host: it can ask for a web page.
///
/// Apple's documentation:
/// <https://developer.apple.com/documentation/foundation/nsextensioncontext>.
public final class NSExtensionContext: NSObject, Sendable {
    private weak let controller: UIViewController?

    init(_ controller: UIViewController) {
        self.controller = controller
        super.init()
    }

    /// Shows a link to a web page in a dialog over the app, which people follow or close.
    ///
    /// A node opens nothing by itself: nobody may be in front of it. The handler gets true once the
    /// link is shown, and false if the scheme is not http or https, or nothing can be presented.
    public func open(_ URL: URL, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        guard let controller else { return DispatchQueue.main.async { completionHandler?(false) } }
        MainQueue.run(#function, of: controller) {
            let isShown = Self.show(URL, over: controller)
            DispatchQueue.main.async { completionHandler?(isShown) }
        }
    }

    @MainActor
    private static func show(_ url: URL, over controller: UIViewController) -> Bool {
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil else {
            return false
        }
        let link = UIAlertController(
            title: "Web page",
            message: url.absoluteString,
            preferredStyle: .alert
        )
        link.addAction(UIAlertAction(title: "Close", style: .cancel))
        let top = sequence(first: controller.outermost, next: { $0.presentation?.controller })
            .reduce(controller) { _, next in next }
        return top.cover(with: link) == nil
    }
}

extension UIViewController {
    /// The way to the host; never nil.
    public var extensionContext: NSExtensionContext? { NSExtensionContext(self) }
}
