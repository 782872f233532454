extension ParleyView {
    /// A view that shows nothing.
    public static var empty: ParleyView { ParleyView(.empty) }

    /// Empty space that takes up the rest of its row or column.
    public static var spacer: ParleyView { ParleyView(.spacer) }

    /// A line or a paragraph.
    public static func text(_ text: String, style: TextStyle = .body) -> ParleyView {
        ParleyView(.text(text, style))
    }

    /// A picture; give it an `accessibilityLabel`.
    public static func image(_ image: UIImage) -> ParleyView {
        ParleyView(.image(image))
    }

    /// A button with a title.
    public static func button(
        _ title: String,
        action: @escaping @MainActor @Sendable () -> Void
    ) -> ParleyView {
        var view = ParleyView(.button(title: title))
        view.handlers.press = action
        return view
    }

    /// A button with a title and further views as its label.
    public static func button(
        _ title: String,
        action: @escaping @MainActor @Sendable () -> Void,
        @Builder label: () -> [ParleyView]
    ) -> ParleyView {
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
    ) -> ParleyView {
        var view = ParleyView(.textField(placeholder: placeholder, text: text))
        view.handlers.edit = edited
        view.handlers.submit = submitted
        return view
    }

    /// A drawing; `drawn` is called with each stroke that somebody draws, and has to add it.
    public static func canvas(
        _ drawing: Drawing,
        drawn: (@MainActor @Sendable (Stroke) -> Void)? = nil
    ) -> ParleyView {
        var view = ParleyView(.canvas(drawing))
        view.handlers.draw = drawn
        return view
    }

    /// A sticker; pressing it calls `action`.
    public static func sticker(
        _ sticker: MSSticker,
        action: (@MainActor @Sendable () -> Void)? = nil
    ) -> ParleyView {
        let file = sticker.file
        var view = ParleyView(
            .sticker(fileURL: file.fileURL, description: file.localizedDescription)
        )
        view.handlers.press = action
        view.accessibilityLabel = file.localizedDescription
        return view
    }

    /// Many views, one below the other.
    public static func list(@Builder _ rows: () -> [ParleyView]) -> ParleyView {
        container(.list, rows())
    }

    /// Views line by line, `columns` in each, at least one.
    public static func grid(columns: Int, @Builder _ cells: () -> [ParleyView]) -> ParleyView {
        container(.grid(columns: max(1, columns)), cells())
    }

    /// Views side by side.
    public static func row(@Builder _ views: () -> [ParleyView]) -> ParleyView {
        container(.row, views())
    }

    /// Views one below the other.
    public static func column(@Builder _ views: () -> [ParleyView]) -> ParleyView {
        container(.column, views())
    }

    /// Views one over the other, the last on top.
    public static func layers(@Builder _ views: () -> [ParleyView]) -> ParleyView {
        container(.layers, views())
    }

    /// The body of a child controller.
    public static func controller(_ controller: UIViewController) -> ParleyView {
        var view = ParleyView(.controller)
        view.controller = controller
        return view
    }

    private static func container(_ content: Content, _ children: [ParleyView]) -> ParleyView {
        var view = ParleyView(content)
        view.children = children
        return view
    }

    /// Builds a sequence of views, in which `if`, `switch` and `for` can be used.
    @resultBuilder
    public enum Builder {
        /// One view.
        public static func buildExpression(_ view: ParleyView) -> [ParleyView] { [view] }
        /// Views that were made elsewhere.
        public static func buildExpression(_ views: [ParleyView]) -> [ParleyView] { views }
        /// One after the other.
        public static func buildBlock(_ views: [ParleyView]...) -> [ParleyView] {
            views.flatMap(\.self)
        }
        /// The views of an `if` without `else`.
        public static func buildOptional(_ views: [ParleyView]?) -> [ParleyView] { views ?? [] }
        /// The views of the first branch.
        public static func buildEither(first views: [ParleyView]) -> [ParleyView] { views }
        /// The views of the other branch.
        public static func buildEither(second views: [ParleyView]) -> [ParleyView] { views }
        /// The views of a `for` loop.
        public static func buildArray(_ views: [[ParleyView]]) -> [ParleyView] {
            views.flatMap(\.self)
        }
        /// The views of `if #available`.
        public static func buildLimitedAvailability(_ views: [ParleyView]) -> [ParleyView] { views }
    }
}
