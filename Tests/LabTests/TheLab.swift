import Foundation
import Testing

extension Tag {
    /// Runs on the lab: hosts with a network, a bus and an avahi-daemon of their own.
    @Tag static var lab: Self
}

/// Everything that is shown on real hosts with the real executable; one lab at a time.
@Suite(
    .serialized,
    .tags(.lab),
    .enabled(
        if: LabNeeds.missing == nil,
        "the lab needs root and its programs; missing: \(LabNeeds.missing ?? "nothing")"
    )
)
enum TheLab {}

/// The requirements of the lab on this machine, and the time that its tests may take.
enum LabNeeds {
    /// The missing requirement because of which the lab cannot run here; nil if none is missing.
    static let missing: String? = {
        guard geteuid() == 0 else { return "root" }
        let programs = ["ip", "tc", "nft", "nsenter", "unshare", "dbus-daemon", "avahi-daemon"]
        let absent = programs.filter { name in
            !["/usr/sbin", "/usr/bin", "/sbin", "/bin"].contains { folder in
                FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
            }
        }
        return absent.isEmpty ? nil : absent.joined(separator: ", ")
    }()

    /// Whether to take the time for every round, and to hold the figures to their targets.
    static let isFull = ProcessInfo.processInfo.environment["PARLEY_TEST_LAB_FULL"] == "1"
}
