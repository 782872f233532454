/// Makes the nodes of a tree from views, within `View.Limits`.
@MainActor
struct TreeWalk {
    private(set) var handlers: [View.Identity: View.Handlers] = [:]
    private var count = 0

    /// The tree of `body`.
    mutating func node(_ body: View) -> View.Node {
        node(body, .root, isEnabled: true, depth: 0)
    }

    /// The tree of a controller that lies over the others.
    ///
    /// A controller that is no dialog of its own gets a button that dismisses it.
    mutating func dialog(_ controller: UIViewController, number: UInt64) -> View.Node {
        controller.loadViewIfNeeded()
        let body = controller.body
        let view =
            body.isDialog
            ? body
            : View.dialog(.page, title: controller.title) {
                View.controller(controller)
                View.choice("Close", role: .cancel) { controller.uncover() }
            }
        return node(view, .dialog(number), isEnabled: true, depth: 0)
    }

    private mutating func node(
        _ view: View,
        _ id: View.Identity,
        isEnabled: Bool,
        depth: Int
    ) -> View.Node {
        count += 1
        let isEnabled = isEnabled && view.isEnabled
        var inside = view.children
        if let controller = view.controller, depth < View.Limits.depthMax {
            controller.loadViewIfNeeded()
            inside = [controller.body]
        }
        var takes: Set<View.Action.Kind> = []
        if view.handlers.press != nil { takes.insert(.press) }
        if view.handlers.edit != nil { takes.insert(.edit) }
        if view.handlers.submit != nil { takes.insert(.submit) }
        if view.handlers.draw != nil { takes.insert(.draw) }
        if !takes.isEmpty { handlers[id] = view.handlers }
        return View.Node(
            id: id,
            content: view.content,
            children: nodes(inside, in: id, isEnabled: isEnabled, depth: depth + 1),
            accessibilityLabel: view.accessibilityLabel,
            isEnabled: isEnabled,
            isProminent: view.isProminent,
            tint: view.tint,
            takes: takes
        )
    }

    private mutating func nodes(
        _ views: [View],
        in parent: View.Identity,
        isEnabled: Bool,
        depth: Int
    ) -> [View.Node] {
        guard depth <= View.Limits.depthMax else { return [] }
        var names: Set<String> = []
        var nodes: [View.Node] = []
        for (index, view) in views.enumerated() {
            guard count < View.Limits.nodesMax else { break }
            let name = Self.name(view, index, taken: &names)
            nodes.append(node(view, parent.child(name), isEnabled: isEnabled, depth: depth))
        }
        return nodes
    }

    /// `#` and the view's own name, made unique among its siblings, or its index if it has no name.
    private static func name(_ view: View, _ index: Int, taken names: inout Set<String>) -> String {
        guard let identifier = view.identifier else { return String(index) }
        let escaped = identifier.replacing("~", with: "~0").replacing("/", with: "~1")
        var name = "#" + escaped
        // The index is unique among siblings, so adding it once is enough.
        if !names.insert(name).inserted { name += "~2" + String(index) }
        return name
    }
}
