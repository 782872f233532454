public import Foundation

/// The visible part of the state that the module `UIKit` keeps for a controller.
@MainActor
package protocol ShownGlue: AnyObject {
    /// The stickers in the view of the controller.
    var shown: [ParleyView] { get }
}

/// A screen or a part of a screen, with a `body` to show.
///
/// The class replaces UIKit's, with the same order of containment and appearance callbacks and
/// without views. A child is on screen while the controller that contains it is.
///
/// As with Apple's class, code in language mode 5 may call a controller from a closure without an
/// actor. A call off the main queue is done on the main queue soon after, and reported in the log.
@preconcurrency @MainActor
open class UIViewController: NSObject {
    /// The title of the screen.
    open var title: String? {
        get { guardedTitle.value }
        set { guardedTitle.value = newValue }
    }
    open private(set) weak var parent: UIViewController?
    open private(set) var children: [UIViewController] {
        get { guardedChildren.value }
        set { guardedChildren.value = newValue }
    }
    open private(set) var isViewLoaded = false

    private let guardedTitle = Guarded<String?>(nil)
    private let guardedChildren = Guarded<[UIViewController]>([])

    /// The screen that shows this controller; nil for a contained controller.
    weak var screen: ParleyView.Screen?

    /// The dialogs over this controller; nil for a contained controller.
    package var presentation: Presentation?
    /// The controller under this one.
    package weak var presenter: UIViewController?

    /// Whether this controller draws a bubble of a transcript.
    package var isBubble: Bool { false }

    /// The view and the storyboard of this controller, which the module `UIKit` keeps here.
    package let glue = Guarded<AnyObject?>(nil)

    private enum Appearance {
        case disappeared
        case appearing
        case appeared
        case disappearing
    }
    private var appearance = Appearance.disappeared

    /// Whether this controller is on screen, or about to be.
    var isOnScreen: Bool { appearance == .appearing || appearance == .appeared }

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

    /// Makes a controller as a storyboard would, by `init?(coder:)`.
    package static func makeController() -> Self? {
        Self(coder: EmptyCoder())
    }

    // MARK: Body and loading

    /// The views of the controller, read again after every event that may change them.
    ///
    /// The default shows the stickers in `view`, and over them the children, one over the other.
    open var body: ParleyView {
        let own = (glue.value as? any ShownGlue)?.shown ?? []
        return ParleyView.layers {
            if !own.isEmpty { ParleyView.column { own } }
            for child in children { ParleyView.controller(child) }
        }
    }

    /// Tells the screen that `body` changed without a call from the host, for example after a
    /// timer.
    public func setNeedsBodyUpdate() {
        MainQueue.run(#function, of: self) { self.updateScreen() }
    }

    private func updateScreen() {
        var base = outermost
        while let presenter = base.presenter { base = presenter.outermost }
        base.screen?.invalidated()
    }

    /// Runs `viewDidLoad` if it has not run yet.
    open func loadViewIfNeeded() {
        MainQueue.run(#function, of: self) { self.load() }
    }

    private func load() {
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

    /// Called where UIKit has laid out the views: before `viewDidAppear`, and when the presentation
    /// style has changed, between `willTransition(to:)` and `didTransition(to:)`.
    ///
    /// Nothing is laid out here.
    open func viewDidLayoutSubviews() {}

    open func viewDidAppear(_ animated: Bool) {}

    open func viewWillDisappear(_ animated: Bool) {}

    open func viewDidDisappear(_ animated: Bool) {}

    /// Is never called, as a node gives no memory warnings.
    open func didReceiveMemoryWarning() {}

    // MARK: Containment

    /// Adds a child, after calling its `willMove(toParent:)`; as with UIKit, the caller then calls
    /// `didMove(toParent:)`.
    open func addChild(_ childController: UIViewController) {
        MainQueue.run(#function, of: self) { self.add(childController) }
    }

    private func add(_ childController: UIViewController) {
        if sequence(first: self, next: \.parent).contains(where: { $0 === childController }) {
            let name = type(of: childController)
            return OffMainCalls.write("\(name) was not added as a child: it would contain itself")
        }
        guard childController.parent !== self else { return }
        if childController.parent != nil { childController.removeFromParent() }
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
        if isOnScreen {
            childController.beginAppearanceTransition(true, animated: false)
        }
        setNeedsBodyUpdate()
    }

    /// Leaves the parent and calls `didMove(toParent:)` with nil; as with UIKit, the caller calls
    /// `willMove(toParent:)` first.
    open func removeFromParent() {
        MainQueue.run(#function, of: self) { self.leaveParent() }
    }

    private func leaveParent() {
        guard let parent else { return }
        beginAppearanceTransition(false, animated: false)
        endAppearanceTransition()
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
        parent.setNeedsBodyUpdate()
    }

    /// Called before the controller is added to `parent`, or with nil before it leaves its parent.
    open func willMove(toParent parent: UIViewController?) {}

    /// Called after the controller was added to `parent`, or with nil after it left its parent.
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Appearance

    /// Starts to show or hide this controller with its children: calls `viewWillAppear` or
    /// `viewWillDisappear`.
    open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
        MainQueue.run(#function, of: self) { self.begin(isAppearing, animated: animated) }
    }

    private func begin(_ isAppearing: Bool, animated: Bool) {
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
        for child in shownWith { child.beginAppearanceTransition(isAppearing, animated: animated) }
    }

    /// Ends a transition, which calls `viewDidAppear` or `viewDidDisappear` here and then in the
    /// children.
    ///
    /// Children that were added during the transition end theirs as well.
    open func endAppearanceTransition() {
        MainQueue.run(#function, of: self) { self.end() }
    }

    private func end() {
        switch appearance {
        case .appearing:
            appearance = .appeared
            viewDidLayoutSubviews()
            viewDidAppear(false)
        case .disappearing:
            appearance = .disappeared
            viewDidDisappear(false)
        case .appeared, .disappeared: break
        }
        for child in shownWith { child.endAppearanceTransition() }
    }

    /// The controllers that appear and disappear together with this controller.
    private var shownWith: [UIViewController] {
        children + [presentation?.controller].compactMap(\.self)
    }

    /// Calls `viewDidLayoutSubviews` here and in the children, if the controller is on screen; the
    /// host has changed the size.
    package func sizeChanged() {
        if appearance == .appeared { viewDidLayoutSubviews() }
        for child in shownWith { child.sizeChanged() }
    }
}
