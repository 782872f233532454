import Messages
import UIKit

/// Calls that code of language mode 5 may make on any thread, each made on a thread of its own.
///
/// In mode 6 the compiler refuses such calls, so the tests cannot make them.
public enum OffMain {
    /// Runs the calls on a thread, and returns when they have returned.
    public static func run(_ calls: @escaping () -> Void) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            Thread {
                calls()
                done.resume()
            }.start()
        }
    }

    /// Whether the main queue is on the main thread also for who waits for it elsewhere.
    public static func findsTheMainThread() async -> Bool {
        var isThere = false
        await run { DispatchQueue.main.sync { isThere = Thread.isMainThread } }
        return isThere
    }

    /// Asks for a style.
    public static func request(
        _ style: MSMessagesAppPresentationStyle,
        of app: MSMessagesAppViewController
    ) async {
        await run { app.requestPresentationStyle(style) }
    }

    /// Asks to be closed.
    public static func dismiss(_ app: MSMessagesAppViewController) async {
        await run { app.dismiss() }
    }

    /// Adds a child with its view, as UIKit's documentation of containment says.
    public static func contain(_ child: UIViewController, in parent: UIViewController) async {
        await run {
            parent.addChild(child)
            child.view.frame = parent.view.bounds
            parent.view.addSubview(child.view)
            child.didMove(toParent: parent)
            parent.setNeedsBodyUpdate()
        }
    }

    /// Removes a child with its view.
    public static func remove(_ child: UIViewController) async {
        await run {
            child.willMove(toParent: nil)
            child.view.removeFromSuperview()
            child.removeFromParent()
        }
    }

    /// Loads a controller and lets it appear.
    public static func load(_ controller: UIViewController) async {
        await run {
            controller.loadViewIfNeeded()
            controller.beginAppearanceTransition(true, animated: false)
            controller.endAppearanceTransition()
        }
    }

    /// Reads everything that an app reads, a hundred times.
    public static func read(_ app: MSMessagesAppViewController) async {
        await run {
            for _ in 0..<100 {
                let conversation = app.activeConversation
                _ = conversation?.selectedMessage?.url
                _ = conversation?.remoteParticipantIdentifiers.count
                _ = (app.presentationStyle, app.presentationContext, app.title, app.children.count)
            }
        }
    }
}
