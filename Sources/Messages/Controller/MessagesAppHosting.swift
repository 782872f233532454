import Foundation

/// The requests that an app's controller may make of its host.
///
/// The host carries out none of them before the code of the app has returned.
@MainActor
package protocol MessagesAppHosting: AnyObject {
    /// The app asks to be shown in `style`, which is never `.transcript`.
    func presentationStyleRequested(
        _ style: MSMessagesAppPresentationStyle,
        by controller: MSMessagesAppViewController
    )

    /// The app asks to be closed.
    func dismissRequested(by controller: MSMessagesAppViewController)

    /// The app's own folder on this machine, which exists; nil if nothing is kept on disk.
    var documentsDirectory: URL? { get }
}
