package import Hummingbird

/// The guests of a node, as far as the routes of its owner know them.
package protocol GuestAccess: Sendable {
    /// Whether the file of the codes was damaged.
    var wasDamaged: Bool { get }
    /// The guests whose pages are open now.
    var presence: GuestPresence { get }

    /// Adds the routes by which the owner lets guests in.
    func addRoutes(to group: RouterGroup<BasicRequestContext>)
}
