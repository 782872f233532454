extension View {
    /// A view that shows nothing.
    public static var empty: View { View(.empty) }

    /// Empty space that takes up the rest of its row or column.
    public static var spacer: View { View(.spacer) }

    /// A line or a paragraph.
    public static func text(_ text: String, style: TextStyle = .body) -> View {
        View(.text(text, style))
    }

    /// A picture; give it an `accessibilityLabel`.
    public static func image(_ image: UIImage) -> View {
        View(.image(image))
    }

    /// A button with a title.
    public static func button(
        _ title: String,
        action: @escaping @MainActor @Sendable () -> Void
    ) -> View {
        var view = View(.button(title: title))
        view.handlers.press = action
        return view
    }

    /// A button with a title and further views as its label.
    public static func button(
        _ title: String,
        action: @escaping @MainActor @Sendable () -> Void,
        @Builder label: () -> [View]
    ) -> View {
        var view = button(title, action: action)
        view.children = label()
        return view
    }

    /// A line to type into; `edited` is called with every change, `submitted` when the line is
    /// ended.
    public static func textField(
        _ placeholder: String,
        text: String,
        edited: (@MainActor @Sendable (String) -> Void)? = nil,
        submitted: (@MainActor @Sendable (String) -> Void)? = nil
    ) -> View {
        var view = View(.textField(placeholder: placeholder, text: text))
        view.handlers.edit = edited
        view.handlers.submit = submitted
        return view
    }

    /// A drawing; `drawn` is called with each stroke that somebody draws, and has to add it.
    public static func canvas(
        _ drawing: Drawing,
        drawn: (@MainActor @Sendable (Stroke) -> Void)? = nil
    ) -> View {
        var view = View(.canvas(drawing))
        view.handlers.draw = drawn
        return view
    }

    /// A sticker; pressing it calls `action`.
    public static func sticker(
        _ sticker: MSSticker,
        action: (@MainActor @Sendable () -> Void)? = nil
    ) -> View {
        let file = sticker.file
        var view = View(
            .sticker(fileURL: file.fileURL, description: file.localizedDescription)
        )
        view.handlers.press = action
        view.accessibilityLabel = file.localizedDescription
        return view
    }

    /// Many views, one below the other.
    public static func list(@Builder _ rows: () -> [View]) -> View {
        container(.list, rows())
    }

    /// Views line by line, `columns` in each, at least one.
    public static func grid(columns: Int, @Builder _ cells: () -> [View]) -> View {
        container(.grid(columns: max(1, columns)), cells())
    }

    /// Views side by side.
    public static func row(@Builder _ views: () -> [View]) -> View {
        container(.row, views())
    }

    /// Views one below the other.
    public static func column(@Builder _ views: () -> [View]) -> View {
        container(.column, views())
    }

    /// Views one over the other, the last on top.
    public static func layers(@Builder _ views: () -> [View]) -> View {
        container(.layers, views())
    }

    /// The body of a child controller.
    public static func controller(_ controller: UIViewController) -> View {
        var view = View(.controller)
        view.controller = controller
        return view
    }

    private static func container(_ content: Content, _ children: [View]) -> View {
        var view = View(content)
        view.children = children
        return view
    }

    /// Builds a sequence of views, in which `if`, `switch` and `for` can be used.
    @resultBuilder
    public enum Builder {
        /// One view.
        public static func buildExpression(_ view: View) -> [View] { [view] }
        /// Views that were made elsewhere.
        public static func buildExpression(_ views: [View]) -> [View] { views }
        /// One after the other.
        public static func buildBlock(_ views: [View]...) -> [View] { views.flatMap(\.self) }
        /// The views of an `if` without `else`.
        public static func buildOptional(_ views: [View]?) -> [View] { views ?? [] }
        /// The views of the first branch.
        public static func buildEither(first views: [View]) -> [View] { views }
        /// The views of the other branch.
        public static func buildEither(second views: [View]) -> [View] { views }
        /// The views of a `for` loop.
        public static func buildArray(_ views: [[View]]) -> [View] { views.flatMap(\.self) }
        /// The views of `if #available`.
        public static func buildLimitedAvailability(_ views: [View]) -> [View] { views }
    }
}
