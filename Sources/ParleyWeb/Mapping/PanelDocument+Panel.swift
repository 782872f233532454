import Foundation
import Messages
import MessagesHost
import ParleyAPI
import ParleyNode

extension PanelDocument {
    /// Makes the document of what an app shows now.
    @MainActor
    init(_ panel: AppPanel, serial: UInt64) {
        let tree = panel.tree
        self.init(
            app: AppDocument(panel.app, runsHeadless: panel.isHeadless),
            conversation: panel.conversation,
            serial: serial,
            style: panel.style.map { $0 == .compact ? "compact" : "expanded" },
            version: tree?.version ?? 0,
            tree: tree.map { ViewDocument($0.root, in: PicturePath(panel)) }
        )
        selected = panel.selectedID?.description
        let dialogs = tree?.dialogs ?? []
        self.dialogs =
            dialogs.isEmpty ? nil : dialogs.map { ViewDocument($0, in: PicturePath(panel)) }
    }
}

/// The paths of the pictures that an app shows.
struct PicturePath: Sendable {
    private let place: String
    /// `view` for the screen of an app, `live` for a bubble that it draws.
    private let kind: String

    /// The paths for an app in a conversation.
    @MainActor
    init(_ panel: AppPanel) {
        kind = "view"
        place = HTMLText.pathPart(panel.conversation) + "/" + HTMLText.pathPart(panel.app.id)
    }

    /// The paths for a bubble that an app draws.
    @MainActor
    init(_ bubble: LiveBubble, in conversation: String) {
        kind = "live"
        place = HTMLText.pathPart(conversation) + "/" + HTMLText.pathPart(bubble.id.description)
    }

    /// The path of the picture of a view; another content has another path.
    func view(_ id: ParleyView.Identity, tag: String) -> String {
        "/pictures/\(kind)/\(place)?node=\(HTMLText.pathPart(id.description))&v=\(tag)"
    }

    /// The path of the picture of the app's message in the input field.
    func draft(tag: String) -> String { "/pictures/draft/\(place)?v=\(tag)" }

    /// The path of the picture of a sticker in the input field.
    func sticker(_ id: SessionID) -> String { "/pictures/sticker/\(place)/\(id)" }
}

extension ViewDocument {
    @MainActor
    init(_ node: ParleyView.Node, in path: PicturePath) {
        self.init(
            id: node.id.description,
            kind: node.content.kind,
            label: node.accessibilityLabel,
            enabled: node.isEnabled,
            takes: node.takes.map { "\($0)" }.sorted(),
            children: node.children.map { ViewDocument($0, in: path) }
        )
        if node.isProminent { prominent = true }
        tint = node.tint?.rawValue
        switch node.content {
        case .empty, .spacer, .list, .row, .column, .layers, .controller: break
        case .grid(let columns): self.columns = columns
        case .dialog(let style): self.style = style.rawValue
        case .choice(let title, let role, let isPreferred):
            text = title
            style = role.rawValue
            preferred = isPreferred ? true : nil
        case .text(let text, let style):
            self.text = text
            self.style = style.rawValue
            until = node.deadline.map { ($0.timeIntervalSince1970 * 1_000).rounded() }
        case .image(let image):
            (width, height) = (Double(image.size.width).inJSON, Double(image.size.height).inJSON)
            if let encoded = image.encoded {
                src = path.view(node.id, tag: PictureTags.shared.tag(of: encoded, in: image))
            }
        case .button(let title): text = title
        case .textField(let placeholder, let text):
            self.placeholder = placeholder
            self.text = text
        case .canvas(let drawing):
            let size = drawing.size
            (width, height) = (Double(size.width).inJSON, Double(size.height).inJSON)
            strokes = drawing.strokes.map(StrokeDocument.init)
            penWidth = drawing.pen?.width.inJSON
            ink = drawing.pen?.ink?.inJSON
        case .sticker(let file, let description):
            text = description
            src = path.view(node.id, tag: ContentTag.text(of: file.absoluteString.utf8))
        }
    }
}

extension ParleyView.Content {
    /// The name of the case.
    fileprivate var kind: String {
        switch self {
        case .empty: "empty"
        case .spacer: "spacer"
        case .list: "list"
        case .row: "row"
        case .column: "column"
        case .grid: "grid"
        case .layers: "layers"
        case .controller: "controller"
        case .dialog: "dialog"
        case .choice: "choice"
        case .text: "text"
        case .image: "image"
        case .button: "button"
        case .textField: "textField"
        case .canvas: "canvas"
        case .sticker: "sticker"
        }
    }
}

extension StrokeDocument {
    fileprivate init(_ stroke: ParleyView.Stroke) {
        self.init(
            points: stroke.points.map { [Double($0.x).inJSON, Double($0.y).inJSON] },
            width: stroke.width.inJSON
        )
    }
}

extension Double {
    /// The number, or 0 for one that JSON cannot represent.
    fileprivate var inJSON: Double { isFinite ? self : 0 }
}

/// Tags of pictures, which are computed once for each.
@MainActor
final class PictureTags {
    static let shared = PictureTags()

    /// The images are retained so that no address is reused for another one.
    private var tags: [ObjectIdentifier: (image: UIImage, tag: String)] = [:]

    private static let countMax = 256

    /// The tag of the content of `image`.
    func tag(of encoded: EncodedImage, in image: UIImage) -> String {
        if let known = tags[ObjectIdentifier(image)] { return known.tag }
        let tag = ContentTag.text(of: encoded.data)
        if tags.count >= Self.countMax { tags = [:] }
        tags[ObjectIdentifier(image)] = (image, tag)
        return tag
    }
}
