/// What an app's controller may ask of whoever runs it.
@MainActor
package protocol MessagesAppHosting: AnyObject {
    /// The app would like to be shown in `style`; never `.transcript`.
    func presentationStyleRequested(
        _ style: MSMessagesAppPresentationStyle,
        by controller: MSMessagesAppViewController
    )

    /// The app would like to be closed.
    func dismissRequested(by controller: MSMessagesAppViewController)
}
