package import Foundation

/// A message of another device from the future, which proves that a clock is wrong.
package struct AheadMessage: Hashable, Sendable {
    /// The device ID of the author in its text form.
    package let device: String
    /// The wall clock of the author.
    package let sentAt: Date
    /// Which clock is wrong, for people.
    package let sentence: String

    /// How far a message may be from the future, in seconds.
    package static let leeway: TimeInterval = 60

    /// Nil if a message is not that far from the future at the moment `now`.
    package init?(sentAt date: Date, by sender: Participant, at now: Date) {
        let seconds = date.timeIntervalSince(now)
        guard seconds > Self.leeway else { return nil }
        device = sender.device
        sentAt = date
        let name = sender.name?.printable ?? String(device.prefix(7))
        let minutes = Int(min(seconds, 1e12) / 60)
        let amount = minutes < 120 ? "\(minutes) minutes" : "\(minutes / 60) hours"
        sentence =
            "a message of \(name) came from \(amount) in the future: the clock there is ahead, or "
            + "this one behind; look with timedatectl on both machines"
    }
}
