import Foundation
import Messages

/// The conversation that an app gets, with a reference to the panel for Parley's own functions.
final class HostedConversation: MSConversation {
    /// The panel that runs the app; used only on the main actor.
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

/// The participants for an `MSConversation`.
struct ConversationModelView {
    let local: UUID
    let remotes: [UUID]
}
