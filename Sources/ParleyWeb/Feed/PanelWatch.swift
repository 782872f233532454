import MessagesHost
import ParleyAPI

/// Finds out what has changed of the apps and input fields in conversations of which a change was
/// reported.
@MainActor
struct PanelWatch {
    /// A new value.
    enum Change {
        case panel(PanelDocument)
        case field(FieldDocument)
        case live(LiveDocument)
    }

    private let apps: AppHost
    private let live: LiveBubbleTable
    private var reported: Set<String> = []
    private var panels: [Place: PanelDocument] = [:]
    private var fields: [String: FieldDocument] = [:]

    private struct Place: Hashable {
        let app: String
        let conversation: String
    }

    nonisolated init(_ apps: AppHost, _ live: LiveBubbleTable) {
        self.apps = apps
        self.live = live
    }

    /// Something in the conversation may have changed.
    mutating func changed(_ conversation: String) {
        reported.insert(conversation)
    }

    /// The changes of the conversations that were reported since the last call.
    mutating func takeChanges() -> [Change] {
        let conversations = reported.sorted()
        reported = []
        return conversations.flatMap { changes(in: $0) }
    }

    private mutating func changes(in conversation: String) -> [Change] {
        let present = apps.panels(in: conversation)
        var changes: [Change] = []
        for panel in present where !panel.isHeadless {
            let place = Place(app: panel.app.id, conversation: conversation)
            // Serial numbers differ always, so they are left out of the comparison.
            let document = PanelDocument(panel, serial: 0)
            let before = panels[place]
            guard before != document, before != nil || document.style != nil else { continue }
            panels[place] = document
            var numbered = document
            numbered.serial = apps.nextSerial()
            changes.append(.panel(numbered))
        }
        changes += live.changes(in: conversation).map { .live($0) }
        let field = FieldDocument(present, in: conversation)
        let known = fields[conversation]
        if known != field, known != nil || !field.parts.isEmpty {
            fields[conversation] = field
            changes.append(.field(field))
        }
        return changes
    }
}
