/// A controller over another one, until dismissed.
@MainActor
package final class Presentation {
    package let controller: UIViewController
    /// A number that no other presentation on the same screen has; nil until it was shown.
    var number: UInt64?

    init(_ controller: UIViewController) {
        self.controller = controller
    }
}

extension UIViewController {
    /// The controller that contains all others around this controller.
    package var outermost: UIViewController {
        var outermost = self
        while let parent = outermost.parent { outermost = parent }
        return outermost
    }

    /// Puts a controller over this one and its containers; people can use only the new one.
    ///
    /// - Returns: Why nothing was done, or nil.
    package func cover(with controller: UIViewController) -> String? {
        let base = outermost
        if base.presentation != nil { return "something is presented already" }
        if controller.presenter != nil || controller.parent != nil || controller === base {
            return "the controller is shown already"
        }
        let depth = sequence(first: base, next: \.presenter).reduce(0) { count, _ in count + 1 }
        if depth > ParleyView.Limits.dialogsMax { return "too many controllers are presented" }
        if sequence(first: base, next: \.presenter).contains(where: \.isBubble) {
            return "a bubble cannot present anything"
        }
        base.presentation = Presentation(controller)
        controller.presenter = base
        if base.isOnScreen { controller.beginAppearanceTransition(true, animated: false) }
        controller.endAppearanceTransition()
        base.setNeedsBodyUpdate()
        return nil
    }

    /// Dismisses the controller above, or else this controller.
    package func uncover() {
        let base = outermost
        guard let holder = base.presentation == nil ? base.presenter : base,
            let top = holder.presentation?.controller
        else { return }
        // The dialogs over the dismissed controller go with it.
        if top.presentation != nil { top.uncover() }
        top.beginAppearanceTransition(false, animated: false)
        top.endAppearanceTransition()
        holder.presentation = nil
        top.presenter = nil
        holder.setNeedsBodyUpdate()
    }
}
