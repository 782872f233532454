public import Messages

/// A tree of views as lines of plain text for a terminal: usable views have a number in front, and
/// the cells of a row or grid stand side by side.
public struct ScreenText: Sendable {
    /// The lines.
    public private(set) var lines: [String] = []
    private let numbers: [ParleyView.Identity: Int]

    /// Renders a tree; the numbers count the views of `usable` from 1.
    public init(_ tree: ParleyView.Tree) {
        var numbers = ViewNumbers()
        self.init(tree, numbers: numbers.number(tree.usable.map(\.id)))
    }

    /// Renders a tree with these numbers of its views.
    package init(_ tree: ParleyView.Tree, numbers: [ParleyView.Identity: Int]) {
        self.numbers = numbers
        lines = block(tree.root)
        for dialog in tree.dialogs { lines += block(dialog).map { "│ " + $0 } }
    }

    private func block(_ node: ParleyView.Node) -> [String] {
        let inside = node.children.map(block)
        switch node.content {
        case .grid(let columns): return Self.table(inside, columns: columns)
        case .row: return Self.table(inside, columns: max(1, inside.count))
        case .empty, .controller, .list, .column, .layers, .spacer, .dialog:
            return inside.flatMap(\.self)
        default: break
        }
        let number = numbers[node.id].map { "\($0) " } ?? ""
        let label = Self.isPicture(node.content) ? node.accessibilityLabel.map { " \($0)" } : nil
        return [number + Self.line(node.content) + (label ?? "")] + inside.flatMap(\.self)
    }

    /// Whether the content is a picture, for which a text can only give a label.
    private static func isPicture(_ content: ParleyView.Content) -> Bool {
        switch content {
        case .image, .canvas: true
        default: false
        }
    }

    private static func line(_ content: ParleyView.Content) -> String {
        switch content {
        case .text(let text, let style):
            switch style {
            case .title: text.uppercased()
            case .headline, .body: text
            case .caption: "· \(text)"
            }
        case .image(let image): "(picture \(Int(image.size.width))×\(Int(image.size.height)))"
        case .button(let title), .choice(let title, _, _): "[\(title)]"
        case .textField(let placeholder, let text): "<\(placeholder): \(text)>"
        case .canvas(let drawing): "(drawing of \(drawing.strokes.count) strokes)"
        case .sticker(_, let description): "(sticker \(description))"
        case .empty, .spacer, .list, .grid, .row, .column, .layers, .controller, .dialog: ""
        }
    }

    /// Puts blocks side by side; the cells of a column get the same width.
    private static func table(_ cells: [[String]], columns: Int) -> [String] {
        var widths = Array(repeating: 0, count: columns)
        for (index, cell) in cells.enumerated() {
            widths[index % columns] = max(widths[index % columns], cell.map(\.count).max() ?? 0)
        }
        var lines: [String] = []
        for start in stride(from: 0, to: cells.count, by: columns) {
            let row = cells[start..<min(start + columns, cells.count)]
            for line in 0..<(row.map(\.count).max() ?? 0) {
                let parts = row.enumerated().map { index, cell in
                    padded(line < cell.count ? cell[line] : "", widths[index])
                }
                lines.append(parts.joined(separator: "  "))
            }
        }
        return lines
    }

    /// Pads a cell; a button without a number is aligned to the right, below the buttons that have
    /// one.
    private static func padded(_ text: String, _ width: Int) -> String {
        let padding = String(repeating: " ", count: width - text.count)
        return text.hasPrefix("[") ? padding + text : text + padding
    }
}
