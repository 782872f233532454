import ParleyCore

/// After quiescence, all members of a conversation hold equal heads, and so show the same messages.
///
/// The check is made at the end of the run, and reports one disagreement.
package struct ConvergenceChecker: Checker {
    package static let promise = Promise("convergence")
    package static let watches: WorldEvent.Kinds = []

    package init() {}

    package mutating func finish(in world: World) {
        for conversation in world.agreement.conversationIDs {
            for group in world.agreement.groups(of: conversation) {
                for other in group.dropFirst() {
                    guard agree(group[0], other, conversation, world) else { return }
                }
            }
        }
    }

    /// Reports a failure if two nodes have different heads; returns whether the heads are equal.
    private func agree(
        _ one: Int,
        _ other: Int,
        _ conversation: ConversationID,
        _ world: World
    ) -> Bool {
        let expected = world.agreement.heads(of: conversation, at: one)
        let actual = world.agreement.heads(of: conversation, at: other)
        guard let difference = Self.difference(expected, actual) else { return true }
        world.fail(
            Self.promise,
            by: [one, other],
            "\(world.nodes[one].name) and \(world.nodes[other].name) do not agree about "
                + "\(world.word(difference.tag)): \(world.words(difference.left.map(\.dot))) here, "
                + "\(world.words(difference.right.map(\.dot))) there"
        )
        return false
    }

    /// The first session in which two nodes differ.
    private static func difference(
        _ left: [SessionHeads],
        _ right: [SessionHeads]
    ) -> (tag: SessionTag, left: [Head], right: [Head])? {
        var indices = (0, 0)
        while indices.0 < left.count || indices.1 < right.count {
            let one = indices.0 < left.count ? left[indices.0] : nil
            let other = indices.1 < right.count ? right[indices.1] : nil
            if one == other {
                indices = (indices.0 + 1, indices.1 + 1)
                continue
            }
            let tag = min(one?.tag ?? other?.tag, other?.tag ?? one?.tag)
            guard let tag else { return nil }
            return (
                tag, one?.tag == tag ? one?.heads ?? [] : [],
                other?.tag == tag ? other?.heads ?? [] : []
            )
        }
        return nil
    }

    private static func min(_ one: SessionTag?, _ other: SessionTag?) -> SessionTag? {
        guard let one, let other else { return one ?? other }
        return one < other ? one : other
    }
}
