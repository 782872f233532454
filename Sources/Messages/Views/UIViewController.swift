public import Foundation

/// A screen or a part of one: it shows its `body`, and its methods are called when something
/// happens.
///
/// It replaces UIKit's class, with the same order of containment and appearance callbacks and
/// without views. A child is on screen while the controller that contains it is.
@MainActor
open class UIViewController: NSObject {
    /// The title of the screen.
    open var title: String?
    open private(set) weak var parent: UIViewController?
    open private(set) var children: [UIViewController] = []
    open private(set) var isViewLoaded = false

    /// The screen that shows this controller; only the outermost controller has one.
    weak var screen: View.Screen?

    private enum Appearance {
        case disappeared
        case appearing
        case appeared
        case disappearing
    }
    private var appearance = Appearance.disappeared

    /// Makes a controller; both names are ignored, as there are no nibs.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// Makes a controller from a coder that holds nothing, as the host does.
    public required init?(coder: NSCoder) {
        super.init()
    }

    // MARK: Body and loading

    /// The views that the controller shows now; read again after every event that may have changed
    /// them.
    ///
    /// The default shows the children, one over the other.
    open var body: View {
        View.layers { for child in children { View.controller(child) } }
    }

    /// Tells the screen that `body` changed without a call from the host, for example after a
    /// timer.
    public func setNeedsBodyUpdate() {
        var outermost = self
        while let parent = outermost.parent { outermost = parent }
        outermost.screen?.invalidated()
    }

    /// Runs `viewDidLoad` if it has not run yet.
    open func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        loadView()
        viewDidLoad()
    }

    /// Called once, before `viewDidLoad`.
    open func loadView() {}

    /// Called once, before this controller is first shown.
    open func viewDidLoad() {}

    open func viewWillAppear(_ animated: Bool) {}

    open func viewDidAppear(_ animated: Bool) {}

    open func viewWillDisappear(_ animated: Bool) {}

    open func viewDidDisappear(_ animated: Bool) {}

    /// Is never called, as a node gives no memory warnings.
    open func didReceiveMemoryWarning() {}

    // MARK: Containment

    /// Adds a child, after calling its `willMove(toParent:)`; as with UIKit, the caller then calls
    /// `didMove(toParent:)`.
    open func addChild(_ childController: UIViewController) {
        precondition(
            !sequence(first: self, next: \.parent).contains { $0 === childController },
            "A controller cannot contain itself."
        )
        guard childController.parent !== self else { return }
        if childController.parent != nil { childController.removeFromParent() }
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
        if appearance == .appearing || appearance == .appeared {
            childController.beginAppearanceTransition(true, animated: false)
        }
        setNeedsBodyUpdate()
    }

    /// Leaves the parent and calls `didMove(toParent:)` with nil; as with UIKit, the caller calls
    /// `willMove(toParent:)` first.
    open func removeFromParent() {
        guard let parent else { return }
        beginAppearanceTransition(false, animated: false)
        endAppearanceTransition()
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
        parent.setNeedsBodyUpdate()
    }

    /// Called before this controller is added to `parent`, or with nil before it leaves its parent.
    open func willMove(toParent parent: UIViewController?) {}

    /// Called after this controller was added to `parent`, or with nil after it left its parent.
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Appearance

    /// Starts to show or hide this controller and its children, which calls `viewWillAppear` or
    /// `viewWillDisappear`.
    open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
        switch (isAppearing, appearance) {
        case (true, .disappeared), (true, .disappearing):
            loadViewIfNeeded()
            appearance = .appearing
            viewWillAppear(animated)
        case (false, .appeared), (false, .appearing):
            appearance = .disappearing
            viewWillDisappear(animated)
        default: return
        }
        for child in children { child.beginAppearanceTransition(isAppearing, animated: animated) }
    }

    /// Ends a transition, which calls `viewDidAppear` or `viewDidDisappear` here and then in the
    /// children.
    ///
    /// Children that were added during the transition end theirs as well.
    open func endAppearanceTransition() {
        switch appearance {
        case .appearing:
            appearance = .appeared
            viewDidAppear(false)
        case .disappearing:
            appearance = .disappeared
            viewDidDisappear(false)
        case .appeared, .disappeared: break
        }
        for child in children { child.endAppearanceTransition() }
    }
}
