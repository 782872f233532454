extension View {
    /// Nothing.
    public static var empty: View { View(.empty) }

    /// Room that takes what others leave.
    public static var spacer: View { View(.spacer) }

    /// A line or a paragraph.
    public static func text(_ text: String, style: TextStyle = .body) -> View {
        View(.text(text, style))
    }

    /// A picture; give it an `accessibilityLabel`.
    public static func image(_ image: UIImage) -> View {
        View(.image(image))
    }

    /// Something to press, with a title.
    public static func button(
        _ title: String,
        action: @escaping @MainActor @Sendable () -> Void
    ) -> View {
        var view = View(.button(title: title))
        view.handlers.press = action
        return view
    }

    /// Something to press, with a title and more to look at.
    public static func button(
        _ title: String,
        action: @escaping @MainActor @Sendable () -> Void,
        @Builder label: () -> [View]
    ) -> View {
        var view = button(title, action: action)
        view.children = label()
        return view
    }

    /// A line to type into; `edited` is told of every change, `submitted` of the end.
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

    /// A drawing; `drawn` is told of each stroke that somebody adds, and adds it to the drawing.
    public static func canvas(
        _ drawing: Drawing,
        drawn: (@MainActor @Sendable (Stroke) -> Void)? = nil
    ) -> View {
        var view = View(.canvas(drawing))
        view.handlers.draw = drawn
        return view
    }

    /// A sticker; pressing it does `action`.
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

    /// Views one below the other, which may be many.
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

    /// What a child controller shows.
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

    /// Puts views in sequence, with `if`, `switch` and `for` between them.
    @resultBuilder
    public enum Builder {
        /// One view.
        public static func buildExpression(_ view: View) -> [View] { [view] }
        /// Views that were made elsewhere.
        public static func buildExpression(_ views: [View]) -> [View] { views }
        /// One after the other.
        public static func buildBlock(_ views: [View]...) -> [View] { views.flatMap(\.self) }
        /// What an `if` gives.
        public static func buildOptional(_ views: [View]?) -> [View] { views ?? [] }
        /// The first branch.
        public static func buildEither(first views: [View]) -> [View] { views }
        /// The other branch.
        public static func buildEither(second views: [View]) -> [View] { views }
        /// What a `for` gives.
        public static func buildArray(_ views: [[View]]) -> [View] { views.flatMap(\.self) }
        /// What `if #available` gives.
        public static func buildLimitedAvailability(_ views: [View]) -> [View] { views }
    }
}
