import Foundation

extension ParleyView {
    /// The identity of a view in a tree: the path of names and indices to the view.
    public struct Identity: Hashable, Sendable, LosslessStringConvertible {
        /// `root`, and after each `/` the name or the index of the next view.
        public let description: String

        /// The identity with the given text; the tree may have no such view.
        public init(_ description: String) {
            self.description = description
        }

        static let root = Identity("root")

        static let overName = "over"
        static let underName = "under"

        /// Whether the view belongs to those that the host has put around the controller's.
        package var isInSurroundings: Bool {
            [Self.overName, Self.underName].contains { description.hasPrefix("root/#\($0)/") }
        }

        static func dialog(_ number: UInt64) -> Identity { Identity("dialog/\(number)") }

        func child(_ name: String) -> Identity {
            Identity(description + "/" + name)
        }
    }

    /// A view at its position in a tree.
    public struct Node: Hashable, Sendable, Identifiable {
        /// The identity of the view.
        public let id: Identity
        /// The content of the view, without the views inside it.
        public let content: Content
        /// The views inside this one.
        public let children: [Node]
        /// The text that a screen reader speaks instead of the content.
        public let accessibilityLabel: String?
        /// Whether actions are accepted, here and in the views inside.
        public let isEnabled: Bool
        /// Whether a button stands out from the others.
        public let isProminent: Bool
        /// The color of a button's title; nil for the usual color.
        public let tint: Tint?
        /// The moment to which a page counts down in place of the text.
        package let deadline: Date?
        /// The kinds of action for which the view has a handler.
        public let takes: Set<Action.Kind>
    }

    /// Everything that a controller shows at one time.
    public struct Tree: Hashable, Sendable {
        /// The version, which rises whenever something in the tree changes.
        public let version: UInt64
        /// The view around all others, except for dialogs.
        public let root: Node
        /// The dialogs over the views, the uppermost last; people can use only the uppermost.
        public let dialogs: [Node]

        /// All nodes; each comes before the nodes inside it.
        public var nodes: [Node] { Self.nodes(in: [root] + dialogs) }

        private static func nodes(in trees: [Node]) -> [Node] {
            var nodes: [Node] = []
            var rest = Array(trees.reversed())
            while let node = rest.popLast() {
                nodes.append(node)
                rest.append(contentsOf: node.children.reversed())
            }
            return nodes
        }

        /// The nodes that somebody can use, in the order of `nodes`.
        public var usable: [Node] {
            Self.nodes(in: [top]).filter { $0.isEnabled && !$0.takes.isEmpty }
        }

        /// The uppermost dialog, or the root.
        var top: Node { dialogs.last ?? root }

        /// Whether nothing lies over the view.
        func isOnTop(_ id: Identity) -> Bool {
            Self.nodes(in: [top]).contains { $0.id == id }
        }

        /// The node with that identity, or nil.
        public subscript(_ id: Identity) -> Node? { nodes.first { $0.id == id } }
    }

    /// An action of a person on a view.
    public enum Action: Hashable, Sendable {
        case press
        /// The text of a field after the change.
        case edit(String)
        case submit(String)
        case draw(Stroke)

        /// An action without its text or stroke.
        public enum Kind: Hashable, Sendable {
            case press
            case edit
            case submit
            case draw
        }

        /// The kind of the action.
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
        /// The current tree has no such view.
        case notFound
        /// The view, or its scope, has changed since the action was chosen.
        case stale
        /// The view is disabled, or lies under a dialog.
        case disabled
        /// The view has no handler for this kind of action.
        case unsupported
        /// The text or the stroke exceeds `Limits`, or a number in it is not finite.
        case improperValue
    }
}
