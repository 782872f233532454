package import ParleyAPI

/// The comings and goings of guests, as a terminal says them.
package enum GuestLines {
    /// The changes between two lists of guests, in words.
    package static func changes(from old: [GuestDocument], to new: [GuestDocument]) -> [String] {
        var lines: [String] = []
        for guest in new {
            let name = TerminalText.safe(guest.name)
            guard let before = old.first(where: { $0.participant == guest.participant }) else {
                lines.append("\(name) has taken seat \(guest.seat).")
                continue
            }
            if before.name != guest.name {
                lines.append("\(TerminalText.safe(before.name)) is called \(name) now.")
            }
            if before.present != guest.present {
                lines.append("\(name) is \(guest.present ? "back" : "away").")
            }
        }
        for guest in old where !new.contains(where: { $0.participant == guest.participant }) {
            lines.append("\(TerminalText.safe(guest.name)) has no seat any more.")
        }
        return lines
    }
}
