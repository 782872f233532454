public import Messages

extension UIViewController {
    /// The controller that lies over this one and all that contain it.
    public var presentedViewController: UIViewController? { outermost.presentation?.controller }

    /// The controller over which this one, or one that contains it, lies.
    public var presentingViewController: UIViewController? { outermost.presenter }

    /// Puts a controller over the app until it is dismissed; people use only what lies on top.
    ///
    /// `completion` is called before this returns, as nothing is animated. If something is
    /// presented already, or by the controller of a bubble, nothing is done and the log says why.
    /// Off the main queue, this happens there, soon after the function has returned.
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

    /// Dismisses what lies over this controller or, if there is nothing, this controller itself.
    ///
    /// `completion` is called before this returns. Off the main queue, this happens there, soon
    /// after the function has returned.
    public func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let done = completion.map { MainHandler($0) }
        MainQueue.run(#function, of: self) {
            self.uncover()
            done?.handler()
        }
    }
}

/// A handler of an app, which only the main queue calls.
@MainActor
private final class MainHandler {
    let handler: () -> Void

    init(_ handler: @escaping () -> Void) {
        self.handler = handler
    }
}
