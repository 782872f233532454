public import Foundation

/// A piece of what a controller shows, as a value: text, a picture, a button, or others arranged.
///
/// Made by the functions of `View+Making.swift`; a page, a terminal or a test renders it.
public struct View: Sendable {
    package var content: Content
    var children: [View] = []
    var controller: UIViewController?
    var handlers = Handlers()
    var identifier: String?
    var accessibilityLabel: String?
    var isEnabled = true

    init(_ content: Content) {
        self.content = content
    }

    /// What a view is, apart from what is inside it and what happens when somebody uses it.
    public enum Content: Hashable, Sendable {
        case empty
        case text(String, TextStyle)
        case image(UIImage)
        /// What can be pressed; what it shows beside its title is inside it.
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
    }

    /// How text stands out.
    public enum TextStyle: String, Hashable, Sendable, CaseIterable {
        case title
        case headline
        case body
        case caption
    }

    /// What happens when somebody uses a view.
    struct Handlers: Sendable {
        var press: (@MainActor @Sendable () -> Void)?
        var edit: (@MainActor @Sendable (String) -> Void)?
        var submit: (@MainActor @Sendable (String) -> Void)?
        var draw: (@MainActor @Sendable (Stroke) -> Void)?
    }

    /// Gives the view a name of its own among its siblings.
    ///
    /// The name stays the view's identity wherever it moves to, and what changes outside of it does
    /// not make an action on it stale.
    public func id(_ identifier: String) -> View {
        var view = self
        view.identifier = identifier
        return view
    }

    /// Says what a screen reader says.
    public func accessibilityLabel(_ label: String?) -> View {
        var view = self
        view.accessibilityLabel = label
        return view
    }

    /// Refuses actions while `isDisabled`.
    public func disabled(_ isDisabled: Bool = true) -> View {
        var view = self
        view.isEnabled = !isDisabled
        return view
    }
}
