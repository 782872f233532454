extension ParleyView.Tree: CustomStringConvertible {
    /// The tree as text: one line for each view, with the views inside it indented by two columns.
    public var description: String { text() }

    /// The tree as text; if `numbered`, the views of `usable` are numbered from 1.
    public func text(numbered: Bool = false) -> String {
        var numbers: [ParleyView.Identity: Int] = [:]
        if numbered {
            for (index, node) in usable.enumerated() { numbers[node.id] = index + 1 }
        }
        var lines: [String] = []
        for tree in [root] + dialogs { append(tree, depth: 0, numbers, to: &lines) }
        return lines.joined(separator: "\n")
    }

    private func append(
        _ node: ParleyView.Node,
        depth: Int,
        _ numbers: [ParleyView.Identity: Int],
        to lines: inout [String]
    ) {
        guard node.content != .empty, node.content != .controller else {
            for child in node.children { append(child, depth: depth, numbers, to: &lines) }
            return
        }
        let number = numbers[node.id].map { "\($0) " } ?? ""
        let state = node.isEnabled || node.takes.isEmpty ? "" : " (disabled)"
        let label = node.accessibilityLabel.map { " — \($0)" } ?? ""
        let indent = String(repeating: "  ", count: depth)
        lines.append(indent + number + Self.line(node.content) + state + label)
        for child in node.children { append(child, depth: depth + 1, numbers, to: &lines) }
    }

    private static func line(_ content: ParleyView.Content) -> String {
        switch content {
        case .empty, .controller: ""
        case .text(let text, .body): text
        case .text(let text, .title): "# " + text
        case .text(let text, .headline): "## " + text
        case .text(let text, .caption): "· " + text
        case .image(let image): "(picture \(Int(image.size.width))×\(Int(image.size.height)))"
        case .button(let title): "[\(title)]"
        case .textField(let placeholder, let text): "<\(placeholder): \(text)>"
        case .choice(let title, _, _): "[\(title)]"
        case .dialog: "dialog"
        case .canvas(let drawing): "(drawing of \(drawing.strokes.count) strokes)"
        case .sticker: "(sticker)"
        case .spacer: "…"
        case .list: "list"
        case .grid(let columns): "grid of \(columns)"
        case .row: "row"
        case .column: "column"
        case .layers: "layers"
        }
    }
}
