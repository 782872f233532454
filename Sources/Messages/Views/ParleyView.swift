public import Foundation

/// A visible piece of a controller, as a value: text, a picture, a button, or a group of views.
///
/// The functions of `ParleyView+Making.swift` make views; a page, a terminal or a test renders
/// them.
public struct ParleyView: Sendable {
    package var content: Content
    var children: [ParleyView] = []
    var controller: UIViewController?
    var handlers = Handlers()
    var identifier: String?
    var accessibilityLabel: String?
    var isEnabled = true
    var isProminent = false
    var tint: Tint?
    var deadline: Date?

    init(_ content: Content) {
        self.content = content
    }

    /// The content of a view, without the views inside it and the handlers of actions.
    public enum Content: Hashable, Sendable {
        case empty
        case text(String, TextStyle)
        case image(UIImage)
        /// A button; the views inside it are shown beside the title.
        case button(title: String)
        case textField(placeholder: String, text: String)
        case canvas(Drawing)
        case sticker(fileURL: URL, description: String)
        case spacer
        case list
        case grid(columns: Int)
        case row
        case column
        /// One over the other, the last on top.
        case layers
        /// The body of a child.
        case controller
        /// A dialog over the other views, with texts, text fields and choices inside.
        case dialog(DialogStyle)
        /// A button that answers a dialog.
        case choice(title: String, role: ChoiceRole, isPreferred: Bool)
    }

    /// How prominent a text is.
    public enum TextStyle: String, Hashable, Sendable, CaseIterable {
        case title
        case headline
        case body
        case caption
    }

    /// The color of a title; a page has one shade for light and one for dark surroundings.
    public enum Tint: String, Hashable, Sendable, CaseIterable {
        case red
        case orange
        case green
        case teal
        case blue
        case purple
    }

    /// The handlers that are called when somebody uses a view.
    struct Handlers: Sendable {
        var press: (@MainActor @Sendable () -> Void)?
        var edit: (@MainActor @Sendable (String) -> Void)?
        var submit: (@MainActor @Sendable (String) -> Void)?
        var draw: (@MainActor @Sendable (Stroke) -> Void)?
    }

    /// Gives the view a name among its siblings.
    ///
    /// A named view keeps its identity when moved among its siblings. Changes outside of the view
    /// do not make actions on the view stale.
    public func id(_ identifier: String) -> ParleyView {
        var view = self
        view.identifier = identifier
        return view
    }

    /// Sets the text that a screen reader speaks.
    public func accessibilityLabel(_ label: String?) -> ParleyView {
        var view = self
        view.accessibilityLabel = label
        return view
    }

    /// Makes a button stand out from the others: the step that most people take next.
    public func prominent(_ isProminent: Bool = true) -> ParleyView {
        var view = self
        view.isProminent = isProminent
        return view
    }

    /// Gives the title of a button a color of its own, to tell it from others at a glance.
    public func tint(_ tint: Tint?) -> ParleyView {
        var view = self
        view.tint = tint
        return view
    }

    /// Lets a page show the time that is left until then in place of a text.
    package func until(_ deadline: Date) -> ParleyView {
        var view = self
        view.deadline = deadline
        return view
    }

    /// Refuses actions while `isDisabled`.
    public func disabled(_ isDisabled: Bool = true) -> ParleyView {
        var view = self
        view.isEnabled = !isDisabled
        return view
    }
}
