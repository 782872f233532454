public import Messages

extension UIViewController {
    /// The controller over this controller and its containers.
    public var presentedViewController: UIViewController? { outermost.presentation?.controller }

    /// The controller under this controller and its containers.
    public var presentingViewController: UIViewController? { outermost.presenter }

    /// Puts a controller over the app until it is dismissed; people can use only the new one.
    ///
    /// `completion` is called before this function returns, as nothing is animated. A call that
    /// fails, as in a bubble or under a presented controller, writes the reason to the log. A call
    /// off the main queue is done on the main queue soon after.
    public func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        let done = completion.map { MainHandler($0) }
        MainQueue.run(#function, of: self) {
            if let reason = self.cover(with: viewControllerToPresent) {
                OffMainCalls.write("\(type(of: self)).present did nothing: \(reason)")
            } else {
                done?.handler()
            }
        }
    }

    /// Dismisses the presented controller or, if there is none, this controller.
    ///
    /// `completion` is called before this function returns. A call off the main queue is done on
    /// the main queue soon after.
    public func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let done = completion.map { MainHandler($0) }
        MainQueue.run(#function, of: self) {
            self.uncover()
            done?.handler()
        }
    }
}

/// A handler of an app for the main queue.
@MainActor
private final class MainHandler {
    let handler: () -> Void

    init(_ handler: @escaping () -> Void) {
        self.handler = handler
    }
}
