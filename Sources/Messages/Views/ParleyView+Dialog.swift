extension ParleyView {
    /// The kinds of dialogs over the views of an app.
    public enum DialogStyle: String, Hashable, Sendable, CaseIterable {
        /// A question, with choices as its answers.
        case alert
        /// A list of choices.
        case actionSheet
        /// The body of another controller.
        case page
    }

    /// The meaning of a choice in a dialog.
    public enum ChoiceRole: String, Hashable, Sendable, CaseIterable {
        case normal
        /// The choice that changes nothing; the Escape key chooses it.
        case cancel
        /// A choice that deletes or changes something.
        case destructive
    }

    /// A dialog over the views of an app: texts, text fields and choices.
    package static func dialog(
        _ style: DialogStyle,
        title: String?,
        @Builder _ views: () -> [ParleyView]
    ) -> ParleyView {
        var view = ParleyView(.dialog(style))
        view.children = views()
        view.accessibilityLabel = title.flatMap { $0.isEmpty ? nil : $0 }
        return view
    }

    /// A choice in a dialog; the Enter key in a text field chooses the preferred one.
    package static func choice(
        _ title: String,
        role: ChoiceRole,
        isPreferred: Bool = false,
        action: @escaping @MainActor @Sendable () -> Void
    ) -> ParleyView {
        var view = ParleyView(.choice(title: title, role: role, isPreferred: isPreferred))
        view.handlers.press = action
        return view
    }

    var isDialog: Bool {
        if case .dialog = content { true } else { false }
    }
}
