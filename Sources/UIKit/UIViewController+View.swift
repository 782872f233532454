public import Messages

/// The objects that this module keeps for a controller.
private final class ControllerGlue: ShownGlue {
    let view = Guarded<UIView?>(nil)
    let storyboard = Guarded<UIStoryboard?>(nil)

    @MainActor var shown: [ParleyView] { view.value?.shown ?? [] }
}

extension UIViewController {
    private var kept: ControllerGlue {
        let made = ControllerGlue()
        return glue.value as? ControllerGlue ?? glue.fill(made) as? ControllerGlue ?? made
    }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The view of this controller; the default `body` shows the stickers in the view.
    ///
    /// Reading the property loads the controller, as with UIKit: `loadView`, then `viewDidLoad`. It
    /// is never nil, and has no size until the app sets one. Off the main queue nothing is loaded.
    public var view: UIView! {
        get {
            if MainQueue.isCurrent {
                loadViewIfNeeded()
            } else {
                OffMainCalls.report(#function, of: self, outcome: "nothing is loaded")
            }
            if let view = kept.view.value { return view }
            let made = UIView()
            made.controller = self
            return kept.view.fill(made)
        }
        set {
            newValue?.controller = self
            kept.view.value = newValue
        }
    }

    /// The view, or nil if this controller has not loaded yet.
    public var viewIfLoaded: UIView? { isViewLoaded ? view : nil }

    /// The storyboard that made this controller, or has the same class for its initial controller.
    public internal(set) var storyboard: UIStoryboard? {
        get { kept.storyboard.value ?? UIStoryboard.storyboard(startingWith: type(of: self)) }
        set { kept.storyboard.value = newValue }
    }
}
