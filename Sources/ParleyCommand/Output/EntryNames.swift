package import Foundation
import MessagesHost
package import ParleyAPI

/// The names of participants, which replace `$` and a UUID in texts.
package struct EntryNames: Sendable {
    private var names: [UUID: String] = [:]

    package init(_ participants: [Participant] = []) {
        for participant in participants { learn(participant) }
    }

    /// Learns the name of a participant from an entry.
    package mutating func learn(_ participant: Participant) {
        guard !participant.device.isEmpty else { return }
        names[participant.id] = Self.name(of: participant)
    }

    /// The name of a participant, or the short form of the device ID if there is no name.
    package static func name(of participant: Participant) -> String {
        participant.name ?? DeviceText.short(participant.device)
    }

    /// The text with participants replaced by their names.
    package func resolved(_ text: String) -> String {
        NameTokens(names).resolved(text)
    }

    /// Whether the name of a participant is known.
    package func knows(_ participant: UUID) -> Bool { names[participant] != nil }

    /// The name of a participant by UUID, or the UUID if unknown.
    package func name(of participant: UUID) -> String {
        names[participant] ?? participant.uuidString
    }
}
