import Foundation
import Messages
import ParleyNode

/// The conversation that an app gets, with a reference to the panel for Parley's own functions.
final class HostedConversation: MSConversation {
    /// The participant who stands for whoever comes, while nobody else is in the conversation.
    ///
    /// A conversation of Apple's always has somebody else in it, and apps read the first of the
    /// others without a look at their number. No participant has this UUID, the highest one.
    static let whoeverComes = UUID(
        uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)
    )

    /// The panel that runs the app; used only on the main actor.
    weak let panel: AppPanel?

    @MainActor
    init(panel: AppPanel, port: ConversationPort) {
        self.panel = panel
        super.init(local: panel.model.me.id, remote: [], host: port)
        participantsChanged()
    }

    override init() {
        panel = nil
        super.init()
    }

    /// Takes over the participants of the conversation.
    @MainActor
    func participantsChanged() {
        let others = panel?.model.remotes ?? []
        remoteParticipantIdentifiers = others.isEmpty ? [Self.whoeverComes] : others
    }
}
