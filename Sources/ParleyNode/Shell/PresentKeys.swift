import Dispatch
import ParleyCore
import ParleyLoop

/// The keys of an invite by which this node has joined, and those of the members.
enum PresentKeys {
    /// Waits a moment for a member, and leaves the conversation again if the member says that the
    /// keys of the invite are not the present ones.
    static func check(
        _ new: NewConversation,
        on shell: isolated NodeShell
    ) async throws(NodeError) {
        let isAlone = shell.machine.dialer.book.entries.isEmpty && shell.machine.links.isEmpty
        guard !new.isOpen, !isAlone else { return }
        let (events, continuation) = NodeEvents.make()
        let id = shell.news.listeners.add(continuation)
        shell.executor.queue.asyncAfter(deadline: .now() + patience) { continuation.finish() }
        var iterator = events.makeAsyncIterator()
        while isUnmet(new.id, shell), await iterator.next(isolation: shell) != nil {}
        shell.news.listeners.remove(id)
        guard let found = shell.machine.conversations.first(withRecord: { $0.id == new.id }),
            found.standing == .out
        else { return }
        let name = found.record.name
        try await shell.leaveConversation(named: name, force: true)
        throw .badInvite(
            reason: "The keys of \(name) have changed since this invite was made.",
            hint: "Ask a member for a new one."
        )
    }

    /// How long a join waits for a member; who meets none joins nevertheless.
    private static let patience = DispatchTimeInterval.seconds(2)

    /// Whether no other member has proved its role, and nobody has told of other keys.
    private static func isUnmet(_ id: ConversationID, _ shell: isolated NodeShell) -> Bool {
        let machine = shell.machine
        guard let found = machine.conversations.first(withRecord: { $0.id == id }) else {
            return false
        }
        return found.standing != .out && machine.members.list(found, machine.crypto).count < 2
    }
}
