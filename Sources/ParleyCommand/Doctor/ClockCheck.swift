package import Foundation
package import ParleyAPI
import ParleyNode

/// The check of other clocks against the clock of this machine.
package enum ClockCheck {
    /// Looks for messages of other devices from the future, which prove that a clock is wrong.
    ///
    /// Messages from the past prove nothing, as they may have waited.
    package static func finding(of entries: [Summary], at now: Date) -> Finding {
        guard let latest = entries.max(by: { $0.sentAt < $1.sentAt }) else {
            return Finding("clock", .skipped, "no message of another device can be read here")
        }
        let skew = latest.sentAt.timeIntervalSince(now)
        guard skew > AheadMessage.leeway else {
            return Finding(
                "clock",
                .ok,
                "none of \(entries.count) messages of others is from the future; a clock behind "
                    + "this one shows only over there"
            )
        }
        let name = latest.sender.name ?? DeviceText.short(latest.sender.device)
        let amount =
            switch skew {
            case ..<7_200: "\(Int(skew / 60)) minutes"
            case ..<172_800: "\(Int(skew / 3_600)) hours"
            default: "\(Int(min(skew, 1e12) / 86_400)) days"
            }
        return Finding(
            "clock",
            .warning,
            "a message of \(name) is \(amount) from the future: the clock there is ahead, or this "
                + "one (\(now.formatted(.iso8601))) behind",
            cure: "timedatectl   # on both machines"
        )
    }
}
