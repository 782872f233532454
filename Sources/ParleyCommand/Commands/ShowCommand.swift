import ArgumentParser
import ParleyAPI

/// `parley show`.
struct ShowCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "One session: its latest message, other heads, and what was replaced."
    )
    @Argument(help: "The session's UUID.") var session: String
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let path = "sessions/\(PathText.encoded(session))"
        let detail = try await client.get(path, as: SessionDetail.self)
        let output = Output.standard
        if common.json { return try output.document(detail) }
        let names = try await EntryNames(of: detail.conversation, client)
        let text = EntryText(output: output, names: names)
        for line in text.lines(detail.shown) { output.line(line) }
        output.line("  " + output.style(.dim, "message \(detail.shown.id)"))
        output.line(
            "  " + output.style(.dim, "conversation ") + TerminalText.safe(detail.conversation)
        )
        if !detail.others.isEmpty {
            output.line()
            output.line(output.style(.yellow, "In conflict with:"))
            for other in detail.others {
                for line in text.lines(other) { output.line(line) }
                output.line("  " + output.style(.dim, "message \(other.id)"))
            }
        }
        if !detail.replaced.isEmpty {
            output.line()
            output.line("Replaced, oldest first:")
            for line in detail.replaced { output.line(text.line(line)) }
        }
    }
}

/// `parley conflicts`.
struct ConflictsCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract:
            "Sessions with more than one head, because several people replaced a message at once.",
        discussion: """
            The next message of such a session resolves the conflict. A relay cannot read its \
            conversations and finds no conflicts in them.
            """
    )
    @Option(name: .shortAndLong, help: "The conversation (default: all that this node can read).")
    var conversation: String?
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let output = Output.standard
        var array = ArrayOutput(output)
        var isEmpty = true
        for name in try await conversations(client) {
            let names = common.json ? EntryNames() : try await EntryNames(of: name, client)
            try await eachPage(of: name, client) { conflicts in
                isEmpty = false
                if common.json { return try array.add(conflicts) }
                for conflict in conflicts {
                    print(conflict, EntryText(output: output, names: names))
                }
            }
        }
        if common.json { return array.end() }
        if isEmpty { output.line(try await whereThereAreNone(client)) }
    }

    /// The conversation of the argument, or all conversations that this node can read.
    private func conversations(_ client: ControlClient) async throws -> [String] {
        if let conversation { return [conversation] }
        return try await client.get("conversations", as: [Conversation].self)
            .filter { $0.role != .relay }.map(\.name)
    }

    private func eachPage(
        of conversation: String,
        _ client: ControlClient,
        _ take: ([Conflict]) throws -> Void
    ) async throws {
        let path = PathText.conversation(conversation) + "/conflicts"
        var query = ""
        while true {
            let page = try await client.get(path + query, as: [Conflict].self)
            guard let last = page.last else { return }
            try take(page)
            query = "?after=\(last.session)"
        }
    }

    private func print(_ conflict: Conflict, _ text: EntryText) {
        let output = text.output
        output.line(output.style(.bold, "Shown in \(TerminalText.safe(conflict.conversation)):"))
        for line in text.lines(conflict.shown) { output.line("  " + line) }
        output.line("Other heads:")
        for other in conflict.others {
            for line in text.lines(other) { output.line("  " + line) }
        }
    }

    /// The sentence for no conflicts, with the conversations that are unreadable here.
    private func whereThereAreNone(_ client: ControlClient) async throws -> String {
        guard conversation == nil else { return "No conflicts." }
        let all = try await client.get("conversations", as: [Conversation].self)
        let unread = all.filter { $0.role == .relay }.map(\.name)
        guard !unread.isEmpty else { return "No conflicts." }
        let names = TerminalText.safe(unread.joined(separator: ", "))
        guard unread.count < all.count else {
            return "This node relays \(names) and cannot read conflicts there."
        }
        return "No conflicts, but this node relays \(names) and cannot read conflicts there."
    }
}
