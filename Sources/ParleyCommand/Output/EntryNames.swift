import Foundation
import MessagesHost
package import ParleyWeb

/// What participants are called in texts, where they stand as `$` and a UUID.
package struct EntryNames: Sendable {
    private var names: [UUID: String] = [:]

    package init(_ participants: [SenderDocument] = []) {
        for participant in participants { learn(participant) }
    }

    /// Those who take part in a conversation, as the node knows them.
    init(of conversation: String, _ client: ControlClient) async throws {
        let all = try await client.get("conversations", as: [ConversationDocument].self)
        self.init(all.first { $0.name == conversation }?.participants ?? [])
    }

    /// Somebody wrote something.
    package mutating func learn(_ participant: SenderDocument) {
        guard !participant.device.isEmpty, let id = UUID(uuidString: participant.participant)
        else { return }
        names[id] = Self.name(of: participant)
    }

    /// What people call them; the beginning of the device ID for those who said nothing.
    package static func name(of participant: SenderDocument) -> String {
        participant.name ?? String(participant.device.prefix(8))
    }

    /// The text with names in it.
    package func resolved(_ text: String) -> String {
        NameTokens(names).resolved(text)
    }

    /// The participant's name, or the UUID if it is nobody's here.
    package func name(of participant: String) -> String {
        UUID(uuidString: participant).flatMap { names[$0] } ?? participant
    }
}
