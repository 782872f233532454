/// Makes the nodes of a tree from views, within `ParleyView.Limits`.
@MainActor
struct TreeWalk {
    private(set) var handlers: [ParleyView.Identity: ParleyView.Handlers] = [:]
    private var count = 0

    /// The tree of `body`.
    mutating func node(_ body: ParleyView) -> ParleyView.Node {
        node(body, .root, isEnabled: true, depth: 0)
    }

    /// The tree of a controller that lies over the others.
    ///
    /// A controller that is no dialog gets a button for dismissing it.
    mutating func dialog(_ controller: UIViewController, number: UInt64) -> ParleyView.Node {
        controller.loadViewIfNeeded()
        let body = controller.body
        let view =
            body.isDialog
            ? body
            : ParleyView.dialog(.page, title: controller.title) {
                ParleyView.controller(controller)
                ParleyView.choice("Close", role: .cancel) { controller.uncover() }
            }
        return node(view, .dialog(number), isEnabled: true, depth: 0)
    }

    private mutating func node(
        _ view: ParleyView,
        _ id: ParleyView.Identity,
        isEnabled: Bool,
        depth: Int
    ) -> ParleyView.Node {
        count += 1
        let isEnabled = isEnabled && view.isEnabled
        var inside = view.children
        if let controller = view.controller, depth < ParleyView.Limits.depthMax {
            controller.loadViewIfNeeded()
            inside = [controller.body]
        }
        var takes: Set<ParleyView.Action.Kind> = []
        if view.handlers.press != nil { takes.insert(.press) }
        if view.handlers.edit != nil { takes.insert(.edit) }
        if view.handlers.submit != nil { takes.insert(.submit) }
        if view.handlers.draw != nil { takes.insert(.draw) }
        if !takes.isEmpty { handlers[id] = view.handlers }
        return ParleyView.Node(
            id: id,
            content: view.content,
            children: nodes(inside, in: id, isEnabled: isEnabled, depth: depth + 1),
            accessibilityLabel: view.accessibilityLabel,
            isEnabled: isEnabled,
            isProminent: view.isProminent,
            tint: view.tint,
            deadline: view.deadline,
            takes: takes
        )
    }

    private mutating func nodes(
        _ views: [ParleyView],
        in parent: ParleyView.Identity,
        isEnabled: Bool,
        depth: Int
    ) -> [ParleyView.Node] {
        guard depth <= ParleyView.Limits.depthMax else { return [] }
        var names: Set<String> = []
        var nodes: [ParleyView.Node] = []
        for (index, view) in views.enumerated() {
            guard count < ParleyView.Limits.nodesMax else { break }
            let name = Self.name(view, index, taken: &names)
            nodes.append(node(view, parent.child(name), isEnabled: isEnabled, depth: depth))
        }
        return nodes
    }

    /// `#` and the view's name, made unique among the siblings; without a name, the index.
    private static func name(_ view: ParleyView, _ index: Int, taken names: inout Set<String>)
        -> String
    {
        guard let identifier = view.identifier else { return String(index) }
        let escaped = identifier.replacing("~", with: "~0").replacing("/", with: "~1")
        var name = "#" + escaped
        // The index is unique among siblings, so adding it once is enough.
        if !names.insert(name).inserted { name += "~2" + String(index) }
        return name
    }
}
