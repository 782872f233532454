extension ParleyView.Tree {
    /// The tree with other texts for people to read: `reword` gets each title, label and text.
    package func reworded(_ reword: (String) -> String) -> ParleyView.Tree {
        ParleyView.Tree(
            version: version,
            root: root.reworded(reword),
            dialogs: dialogs.map { $0.reworded(reword) }
        )
    }
}

extension ParleyView.Node {
    fileprivate func reworded(_ reword: (String) -> String) -> ParleyView.Node {
        ParleyView.Node(
            id: id,
            content: content.reworded(reword),
            children: children.map { $0.reworded(reword) },
            accessibilityLabel: accessibilityLabel.map(reword),
            isEnabled: isEnabled,
            isProminent: isProminent,
            tint: tint,
            deadline: deadline,
            takes: takes
        )
    }
}

extension ParleyView.Content {
    fileprivate func reworded(_ reword: (String) -> String) -> ParleyView.Content {
        switch self {
        case .text(let text, let style): .text(reword(text), style)
        case .button(let title): .button(title: reword(title))
        case .sticker(let file, let description):
            .sticker(fileURL: file, description: reword(description))
        case .choice(let title, let role, let isPreferred):
            .choice(title: reword(title), role: role, isPreferred: isPreferred)
        // The text that somebody types into a field stays as it is.
        case .empty, .image, .textField, .canvas, .spacer, .list, .grid, .row, .column, .layers,
            .controller, .dialog:
            self
        }
    }
}
