public import Foundation

/// A screen or a part of one: what it shows is its `body`, what happens to it comes as callbacks.
///
/// It stands in for UIKit's: containment and appearance in the same order, without views. A child
/// is on screen while it is contained in a controller that is.
@MainActor
open class UIViewController: NSObject {
    /// What the screen is called.
    open var title: String?
    open private(set) weak var parent: UIViewController?
    open private(set) var children: [UIViewController] = []
    open private(set) var isViewLoaded = false

    /// Who shows this controller; only the outermost one has it.
    weak var screen: View.Screen?

    private enum Appearance {
        case disappeared
        case appearing
        case appeared
        case disappearing
    }
    private var appearance = Appearance.disappeared

    /// There are no nibs: the names count for nothing.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
    }

    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// How the host makes controllers, with a coder that holds nothing.
    public required init?(coder: NSCoder) {
        super.init()
    }

    // MARK: What is shown

    /// What is shown now; asked for after everything that may have changed it.
    ///
    /// By default the children, one over the other.
    open var body: View {
        View.layers { for child in children { View.controller(child) } }
    }

    /// Says that `body` changed when nobody called this controller: after a timer, for example.
    public func setNeedsBodyUpdate() {
        var outermost = self
        while let parent = outermost.parent { outermost = parent }
        outermost.screen?.invalidated()
    }

    /// Runs `viewDidLoad` if it did not run yet.
    open func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        loadView()
        viewDidLoad()
    }

    /// Called once, before `viewDidLoad`.
    open func loadView() {}

    /// Called once, before this is first shown.
    open func viewDidLoad() {}

    open func viewWillAppear(_ animated: Bool) {}

    open func viewDidAppear(_ animated: Bool) {}

    open func viewWillDisappear(_ animated: Bool) {}

    open func viewDidDisappear(_ animated: Bool) {}

    /// Never called: a node has no such warnings.
    open func didReceiveMemoryWarning() {}

    // MARK: Containment

    /// Contains `childController`, after `willMove(toParent:)`; the caller then calls
    /// `didMove(toParent:)`, as with UIKit.
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

    /// Leaves the parent, and calls `didMove(toParent:)` with nil; the caller has called
    /// `willMove(toParent:)` before, as with UIKit.
    open func removeFromParent() {
        guard let parent else { return }
        beginAppearanceTransition(false, animated: false)
        endAppearanceTransition()
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
        parent.setNeedsBodyUpdate()
    }

    /// Called before this is contained by `parent`, or with nil before it leaves.
    open func willMove(toParent parent: UIViewController?) {}

    /// Called after this is contained by `parent`, or with nil after it left.
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Appearance

    /// Starts to show or hide this and its children: `viewWillAppear` or `viewWillDisappear`.
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

    /// Ends what began: `viewDidAppear` or `viewDidDisappear`, here and then in the children.
    ///
    /// Also ends the appearance of children that were added since.
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
