package import Hummingbird

/// The guests of a node, as far as the routes of its owner know them.
package protocol GuestAccess: Sendable {
    /// Whether the file of the codes was damaged.
    var wasDamaged: Bool { get }
    /// The guests whose pages are open now.
    var presence: GuestPresence { get }

    /// The node has left the conversation with the ID: nobody is a guest there any more.
    func left(_ conversation: String) async
    /// Adds the routes by which the owner lets guests in.
    func addRoutes(to group: RouterGroup<BasicRequestContext>)
}
