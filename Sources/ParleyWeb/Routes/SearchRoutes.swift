import Hummingbird
import ParleyAPI
import ParleyNode

/// The route that finds messages by their words, in what the node shows to its owner or a guest.
struct SearchRoutes: Sendable {
    let node: any MessagingNode

    /// The characters of a search.
    private static let charactersMax = 256

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.get("search") { request, _ in
            let query = request.uri.queryParameters
            let text = query["text"].map(String.init) ?? ""
            guard text.count <= Self.charactersMax else {
                throw Problem.badInput(
                    "A search has at most \(Self.charactersMax) characters.",
                    hint: "Leave out some words."
                )
            }
            let found = try await node.search(
                text,
                in: query["conversation"].map(String.init),
                limit: try request.pageLimit
            )
            return try JSON.response(found)
        }
    }
}
