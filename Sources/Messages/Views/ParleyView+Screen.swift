extension ParleyView {
    /// Shows a controller: reads the body, reports appearances, and carries out actions.
    @MainActor
    public final class Screen {
        /// The controller that is shown.
        public let controller: UIViewController
        /// Called when the body of a controller may have changed; read `tree` soon after.
        public var invalidation: (@MainActor () -> Void)?

        /// Views of the host over and under those of the controller, each perhaps empty.
        package var surroundings: (@MainActor () -> (over: ParleyView, under: ParleyView))?

        private var changes: ChangeLog
        private var handlers: [Identity: Handlers] = [:]
        private var shown: Tree?
        private var lastDialog: UInt64 = 0

        /// A screen that shows `controller` from `appear()` on.
        public convenience init(_ controller: UIViewController) {
            self.init(controller, after: 0)
        }

        /// A screen with versions after `version`: actions chosen on earlier screens are stale.
        package init(_ controller: UIViewController, after version: UInt64) {
            self.controller = controller
            changes = ChangeLog(after: version)
            controller.screen = self
        }

        /// The version of the tree that was read last.
        package var version: UInt64 { changes.version }

        /// Puts the controller and its children on screen.
        public func appear() {
            controller.beginAppearanceTransition(true, animated: false)
            controller.endAppearanceTransition()
            invalidated()
        }

        /// Takes the controller and its children off the screen.
        public func disappear() {
            controller.beginAppearanceTransition(false, animated: false)
            controller.endAppearanceTransition()
        }

        /// Reads the controller's body and returns the tree that it shows now.
        ///
        /// This also ends the appearance of children that were added since the last call.
        public var tree: Tree {
            controller.loadViewIfNeeded()
            controller.endAppearanceTransition()
            var walk = TreeWalk()
            let root = walk.node(surrounded(controller.body))
            var dialogs: [Node] = []
            for presentation in presentations() {
                let number = number(of: presentation)
                dialogs.append(walk.dialog(presentation.controller, number: number))
            }
            if root != shown?.root || dialogs != shown?.dialogs {
                changes.record([root] + dialogs)
            }
            handlers = walk.handlers
            let tree = Tree(version: changes.version, root: root, dialogs: dialogs)
            shown = tree
            return tree
        }

        /// The body with the host's views; a column gets them as its first and last view.
        private func surrounded(_ body: ParleyView) -> ParleyView {
            guard let (over, under) = surroundings?() else { return body }
            var column = body
            if case .column = body.content {} else { column = .column { body } }
            column.children.insert(over.id(Identity.overName), at: 0)
            column.children.append(under.id(Identity.underName))
            return column
        }

        private func presentations() -> [Presentation] {
            var found: [Presentation] = []
            var next = controller.presentation
            while let presentation = next {
                found.append(presentation)
                next = presentation.controller.presentation
            }
            return found
        }

        /// The number of a dialog in its identity, so that no action reaches the next dialog.
        private func number(of presentation: Presentation) -> UInt64 {
            if let number = presentation.number { return number }
            lastDialog += 1
            presentation.number = lastDialog
            return lastDialog
        }

        /// Carries out an action that somebody chose in the tree of `version`.
        ///
        /// A press is stale if anything has changed since then in the scope of the view: the
        /// nearest view around it with an `id`, or the controller. Typing and drawing are stale
        /// only if the view itself changed. Under a dialog nothing can be pressed or submitted.
        /// - Throws: `ActionError` if nothing was done.
        public func perform(
            _ action: Action,
            on id: Identity,
            seenIn version: UInt64
        ) throws(ActionError) {
            let tree = tree
            guard let node = tree[id] else { throw .notFound }
            guard version <= changes.version else { throw .stale }
            let changed = action == .press ? changes.scopeChange(id) : changes.nodeChange(id)
            guard changed <= version else { throw .stale }
            guard node.takes.contains(action.kind) else { throw .unsupported }
            guard node.isEnabled else { throw .disabled }
            // A text or drawing that was under way when a dialog came up is not lost.
            if action.kind == .press || action.kind == .submit {
                guard tree.isOnTop(id) else { throw .disabled }
            }
            let handlers = handlers[id]
            switch action {
            case .press: handlers?.press?()
            case .edit(let text):
                handlers?.edit?(try Self.checked(text))
            case .submit(let text):
                handlers?.submit?(try Self.checked(text))
            case .draw(let stroke):
                guard stroke.isSound else { throw .improperValue }
                handlers?.draw?(stroke)
            }
            invalidated()
        }

        /// Carries out an action in the current tree.
        public func perform(_ action: Action, on id: Identity) throws(ActionError) {
            try perform(action, on: id, seenIn: tree.version)
        }

        func invalidated() {
            invalidation?()
        }

        private static func checked(_ text: String) throws(ActionError) -> String {
            guard text.count <= Limits.textCharactersMax else { throw .improperValue }
            return text
        }
    }
}
