import Foundation
import Messages

/// The conversation that an app gets, with the way to what the host knows beyond Apple's surface.
final class HostedConversation: MSConversation {
    /// Whoever runs the app; only asked on the main actor.
    weak let panel: AppPanel?

    init(panel: AppPanel, port: ConversationPort, model: ConversationModelView) {
        self.panel = panel
        super.init(local: model.local, remote: model.remotes, host: port)
    }

    override init() {
        panel = nil
        super.init()
    }
}

/// Who takes part, as `MSConversation` says it.
struct ConversationModelView {
    let local: UUID
    let remotes: [UUID]
}
