public import Foundation
public import Messages
import Synchronization

/// A table of functions that make controllers, in place of a file that Interface Builder wrote.
///
/// The program fills the table before it starts its apps:
///
/// ```swift
/// UIStoryboard.register("MainInterface", startingWith: MessagesViewController.self, [
///     "CompactViewController": { CompactViewController() },
///     "ExpandedViewController": { ExpandedViewController() },
/// ])
/// ```
///
/// Apple's documentation: <https://developer.apple.com/documentation/uikit/uistoryboard>.
@preconcurrency @MainActor
public final class UIStoryboard: NSObject {
    /// A function that makes a controller.
    public typealias Factory = @MainActor @Sendable () -> UIViewController

    private struct Table: Sendable {
        let name: String
        let initial: UIViewController.Type?
        let factories: [String: Factory]
    }

    private nonisolated static let tables = Mutex<[Table]>([])

    private let found: [Table]
    private let name: String

    /// The storyboard called `name`, with the controllers of all apps that registered the name.
    ///
    /// The bundle is ignored. A name that nobody registered gives an empty storyboard.
    public convenience init(name: String, bundle storyboardBundleOrNil: Bundle?) {
        self.init(name, Self.tables(named: name))
    }

    private init(_ name: String, _ found: [Table]) {
        self.name = name
        self.found = found
        super.init()
    }

    /// Registers the controllers of a storyboard; to be called before the app starts, on any
    /// thread.
    ///
    /// - Parameters:
    ///   - name: The name of the storyboard, without extension.
    ///   - initial: The class of the app's own controller, the initial one of the storyboard.
    ///   - factories: For each identifier a function that makes the controller.
    public nonisolated static func register(
        _ name: String,
        startingWith initial: UIViewController.Type? = nil,
        _ factories: [String: Factory]
    ) {
        let table = Table(name: name, initial: initial, factories: factories)
        tables.withLock { tables in
            // A new registration replaces the earlier one.
            tables.removeAll { $0.name == name && $0.initial == initial }
            tables.append(table)
        }
    }

    static func storyboard(startingWith type: UIViewController.Type) -> UIStoryboard? {
        guard let table = table(startingWith: type) else { return nil }
        return UIStoryboard(table.name, [table])
    }

    // The search functions have no actor, as Swift would end the process on a call off the main
    // queue.

    private nonisolated static func tables(named name: String) -> [Table] {
        tables.withLock { $0.filter { $0.name == name } }
    }

    private nonisolated static func table(startingWith type: UIViewController.Type) -> Table? {
        tables.withLock { $0.last { $0.initial == type } }
    }

    private nonisolated static func factory(_ identifier: String, in found: [Table]) -> Factory? {
        found.lazy.compactMap { $0.factories[identifier] }.first
    }

    private nonisolated static func initial(in found: [Table]) -> UIViewController.Type? {
        found.lazy.compactMap(\.initial).first
    }

    /// Makes the controller that is registered under `identifier`.
    ///
    /// Apple's class raises an exception if there is none. To end the program would end every app
    /// of the node, so here the result is a controller that shows nothing, and the log says which
    /// identifier is missing.
    public func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        guard let factory = Self.factory(identifier, in: found) else {
            OffMainCalls.write("no controller \"\(identifier)\" in the storyboard \"\(name)\"")
            return UIViewController()
        }
        let controller = factory()
        controller.storyboard = self
        return controller
    }

    /// Makes the initial controller; nil if none is registered.
    public func instantiateInitialViewController() -> UIViewController? {
        let controller = Self.initial(in: found)?.makeController()
        controller?.storyboard = self
        return controller
    }
}
