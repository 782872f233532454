import ArgumentParser
import ParleyAPI
import ParleyYAML

/// The option for a conversation, which may be left out where there is only one.
struct ConversationOption: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("conversation")],
        help: "The conversation (default: the only one)."
    )
    var name: String?

    /// The names in a problem at most.
    private static let namesMax = 10

    /// The name of the option, or of the only conversation that the node can read.
    func name(_ client: ControlClient) async throws -> String {
        try await Self.name(name, client)
    }

    /// The given name, or that of the only conversation that the node can read.
    static func name(_ name: String?, _ client: ControlClient) async throws -> String {
        if let name { return name }
        let names = try await client.get("conversations", as: [Conversation].self)
            .filter { $0.role != .relay }.map(\.name)
        if let only = names.first, names.count == 1 { return only }
        guard !names.isEmpty else {
            throw Problem(
                .unknownConversation,
                "This node has no conversation yet.",
                hint: "create one with: parley conversation create NAME"
            )
        }
        let listed = names.prefix(namesMax).joined(separator: ", ")
        throw Problem(
            .usage,
            "There are several conversations: "
                + (names.count > namesMax ? listed + ", …" : listed) + ".",
            hint: "Name one of them."
        )
    }
}

extension Problem {
    /// The problem with the name that was probably meant, if it is about an unknown conversation.
    func suggestingName(_ client: ControlClient) async -> Problem {
        guard kind == .unknownConversation, let conversation,
            let known = try? await client.get("conversations", as: [Conversation].self),
            let near = NearMiss.nearest(to: conversation, among: known.map(\.name))
        else { return self }
        var problem = self
        problem.hint = "Did you mean \(near.quoted)?"
        return problem
    }
}
