extension View {
    /// Which view it is among all of a tree: the names, or places, on the way to it.
    public struct Identity: Hashable, Sendable, LosslessStringConvertible {
        /// `root`, and after each `/` the name or the place of the next view.
        public let description: String

        /// The identity that reads so; there may be no such view.
        public init(_ description: String) {
            self.description = description
        }

        static let root = Identity("root")

        func child(_ name: String) -> Identity {
            Identity(description + "/" + name)
        }
    }

    /// A view where it stands in a tree.
    public struct Node: Hashable, Sendable, Identifiable {
        /// Which view it is.
        public let id: Identity
        /// What it is, apart from what is inside.
        public let content: Content
        /// What is inside.
        public let children: [Node]
        /// What a screen reader says instead of what is shown.
        public let accessibilityLabel: String?
        /// Whether actions are taken, here and in everything inside.
        public let isEnabled: Bool
        /// The actions that do something here.
        public let takes: Set<Action.Kind>
    }

    /// What a controller shows at one time.
    public struct Tree: Hashable, Sendable {
        /// Rises whenever something in the tree changes.
        public let version: UInt64
        /// The view with all others inside.
        public let root: Node

        /// All nodes, each before what is inside it.
        public var nodes: [Node] {
            var nodes: [Node] = []
            var rest = [root]
            while let node = rest.popLast() {
                nodes.append(node)
                rest.append(contentsOf: node.children.reversed())
            }
            return nodes
        }

        /// The nodes that somebody can use, in the order of `nodes`.
        public var usable: [Node] { nodes.filter { $0.isEnabled && !$0.takes.isEmpty } }

        /// The node of that identity, or nil.
        public subscript(_ id: Identity) -> Node? { nodes.first { $0.id == id } }
    }

    /// What somebody does to a view.
    public enum Action: Hashable, Sendable {
        case press
        /// The whole text as it is after the change.
        case edit(String)
        case submit(String)
        case draw(Stroke)

        /// An action without what goes with it.
        public enum Kind: Hashable, Sendable {
            case press
            case edit
            case submit
            case draw
        }

        /// What kind of action it is.
        public var kind: Kind {
            switch self {
            case .press: .press
            case .edit: .edit
            case .submit: .submit
            case .draw: .draw
            }
        }
    }

    /// Why an action was not carried out.
    public enum ActionError: Error, Hashable, Sendable {
        /// There is no such view now.
        case gone
        /// The view, or what it belongs to, is not what it was when the action was chosen.
        case stale
        case disabled
        /// The view takes no such action.
        case unsupported
        /// Text or stroke beyond `Limits`, or not made of numbers.
        case improperValue
    }
}
