/// Remembers the version of a tree in which each node, and each scope, last changed.
///
/// A press is refused if its scope has changed since the press was chosen. A scope is a node with a
/// name of its own, a controller, a dialog, or the root. Typed text and drawn strokes do not count
/// as changes.
struct ChangeLog {
    private(set) var version: UInt64
    private var nodes: [ParleyView.Identity: Record<Face>] = [:]
    private var scopes: [ParleyView.Identity: Record<[Face]>] = [:]
    private var scopeOfNode: [ParleyView.Identity: ParleyView.Identity] = [:]

    /// A log whose first recorded tree gets the version after `version`.
    init(after version: UInt64) {
        self.version = version
    }

    private struct Record<Value: Equatable> {
        let value: Value
        let since: UInt64
    }

    /// The parts of a node that the app determines, without what people type or draw.
    private struct Face: Equatable {
        let id: ParleyView.Identity
        let content: ParleyView.Content
        let accessibilityLabel: String?

        init(_ node: ParleyView.Node) {
            id = node.id
            accessibilityLabel = node.accessibilityLabel
            content =
                switch node.content {
                case .textField(let placeholder, _): .textField(placeholder: placeholder, text: "")
                case .canvas(let drawing): .canvas(ParleyView.Drawing(size: drawing.size))
                default: node.content
                }
        }
    }

    /// Records the trees of a screen and its dialogs under a new version.
    mutating func record(_ trees: [ParleyView.Node]) {
        version += 1
        var faces: [ParleyView.Identity: Face] = [:]
        var inScope: [ParleyView.Identity: [Face]] = [:]
        scopeOfNode = [:]
        var rest = trees.map { (node: $0, scope: $0.id) }
        while let (node, outer) = rest.popLast() {
            let face = Face(node)
            let scope = Self.isScope(node) ? node.id : outer
            faces[node.id] = face
            inScope[scope, default: []].append(face)
            scopeOfNode[node.id] = scope
            rest.append(contentsOf: node.children.reversed().map { ($0, scope) })
        }
        nodes = Self.updated(nodes, faces, version)
        scopes = Self.updated(scopes, inScope, version)
    }

    /// The version in which the node changed last; the highest number for an unknown node.
    func nodeChange(_ id: ParleyView.Identity) -> UInt64 {
        nodes[id]?.since ?? .max
    }

    /// The version in which the scope of the node changed last; the highest number for an unknown
    /// node.
    func scopeChange(_ id: ParleyView.Identity) -> UInt64 {
        scopeOfNode[id].flatMap { scopes[$0]?.since } ?? .max
    }

    private static func isScope(_ node: ParleyView.Node) -> Bool {
        let name = node.id.description.split(separator: "/").last ?? ""
        if case .dialog = node.content { return true }
        return node.content == .controller || name.hasPrefix("#") || node.id == .root
    }

    private static func updated<Value: Equatable>(
        _ old: [ParleyView.Identity: Record<Value>],
        _ new: [ParleyView.Identity: Value],
        _ version: UInt64
    ) -> [ParleyView.Identity: Record<Value>] {
        var records: [ParleyView.Identity: Record<Value>] = [:]
        for (id, value) in new {
            let known = old[id].flatMap { $0.value == value ? $0 : nil }
            records[id] = known ?? Record(value: value, since: version)
        }
        return records
    }
}
