/// What each target may import: the table of `docs/architecture.md`, line by line.
///
/// A target that is not here may not exist, so a new one starts with a line in both places.
enum ImportTable {
    struct Row: Sendable {
        /// Targets of ours and modules of other packages: the arrows of the architecture.
        let parts: Set<String>
        /// What comes with the toolchain.
        let system: Set<String>

        init(_ parts: Set<String>, system: Set<String> = []) {
            self.parts = parts
            self.system = system
        }

        func allows(_ module: String) -> Bool {
            parts.contains(module) || system.contains(module)
        }
    }

    static let rows: [String: Row] = [
        "Messages": Row([], system: ["Foundation", "Synchronization"]),
        "UIKit": Row(["Messages"]),

        "ParleyCore": Row([]),
        "ParleyKeys": Row(
            ["ParleyCore", "Crypto"],
            system: ["Foundation", "FoundationEssentials", "Glibc"]
        ),
        "ParleyLoop": Row([], system: ["Dispatch", "Glibc", "Synchronization"]),
        "ParleyTransport": Row(
            ["ParleyCore", "ParleyLoop", "COpenSSL", "X509", "SwiftASN1", "Crypto"],
            system: ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization"]
        ),
        "ParleyDiscovery": Row(
            ["ParleyLoop", "CAvahi"],
            system: ["Dispatch", "Glibc", "Synchronization"]
        ),
        "ParleyStore": Row(
            ["ParleyCore", "GRDB", "GRDBSQLite"],
            system: ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization"]
        ),
        "ParleyNode": Row(
            [
                "ParleyCore", "ParleyKeys", "ParleyLoop", "ParleyTransport", "ParleyDiscovery",
                "ParleyStore", "Logging", "Metrics", "CoreMetrics",
            ],
            system: ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization"]
        ),
        "MessagesHost": Row(
            ["Messages", "ParleyNode", "ParleyCore", "ParleyFaults"],
            system: ["Dispatch", "Foundation", "Synchronization"]
        ),
        "ParleyWeb": Row(
            [
                "ParleyNode", "Messages", "MessagesHost", "Hummingbird", "HummingbirdCore",
                "HTTPTypes", "NIOCore", "Logging", "ServiceLifecycle",
            ],
            system: ["Foundation", "Glibc"]
        ),
        "ParleyFaults": Row(
            ["ParleyCore", "ParleyLoop", "Yams"],
            system: ["Dispatch", "Foundation", "Glibc"]
        ),
        "ParleyCommand": Row(
            [
                "ArgumentParser", "Messages", "MessagesHost", "ParleyCore", "ParleyKeys",
                "ParleyNode", "ParleyWeb", "ParleyFaults", "CQREncode", "NIOPosix",
                "Configuration", "HTTPTypes", "NIOCore", "NIOHTTP1", "Logging", "Metrics",
                "ServiceLifecycle", "UnixSignals",
            ],
            system: ["Dispatch", "Foundation", "Glibc", "Synchronization"]
        ),
        "parley": Row(["ParleyCommand", "MessagesHost", "SampleTicTacToe"]),

        "CAvahi": Row([]),
        "COpenSSL": Row([]),
        "CQREncode": Row([]),
    ]

    /// The row of `target`; a sample app knows nothing but `Messages`.
    static func row(_ target: String) -> Row? {
        target.hasPrefix("Apps/") ? Row(["Messages"], system: ["Foundation"]) : rows[target]
    }
}
