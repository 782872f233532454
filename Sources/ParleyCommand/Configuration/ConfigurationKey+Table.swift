import Foundation
import Logging
import ParleyAPI
import ParleyCore
import ParleyNode
import ParleyWeb
import ParleyYAML

/// All keys, in the order of display.
extension ConfigurationKey {
    static let all: [Self] = node + logging + limits + quotas

    /// The key of that name.
    static func named(_ name: String) -> Self? { all.first { $0.name == name } }

    // MARK: The node

    private static let node: [Self] = [
        .text("data", \.data, "The data directory.") { _ in },
        .text("name", \.name, "The name of the device for people.") { text in
            try check { $0.name = text }
        },
        .texts("listen", \.listen, "The addresses to listen on, or a port of all; none: 27275.") {
            text in
            try check { $0.listen = [text] }
        },
        .texts("peers", \.peers, "Nodes to dial.") { text in
            try check { $0.peers = [text] }
        }.reloaded,
        .texts("interfaces", \.interfaces, "Interfaces for discovery; '!docker*' is excluded.") {
            text in
            try check { $0.interfaces = [text] }
        },
        .yesOrNo("discovery", \.usesDiscovery, "Whether to announce the node and find others."),
        .yesOrNo("relay", \.isRelay, "Whether to store and forward for others only."),
        .text("web", \.web, "Where to serve the page, or off; none: 127.0.0.1:8275.") { text in
            if !NodeOptions.isOff(text) { try checkAddress(text, "HOST:PORT, PORT, or off") }
        },
        .texts("headless", \.headless, "Apps that run without a person.") { text in
            try HeadlessApps.check(text)
        },
        .text("metrics", \.metrics, "Where to serve metrics and health; none: nowhere.") { text in
            try checkAddress(text, "HOST:PORT, or PORT")
        },
    ]

    private static func checkAddress(_ text: String, _ forms: String) throws(Problem) {
        do {
            _ = try PageAddress(parsing: text)
        } catch {
            throw Problem(.badSetting, "\(error).", hint: "Write \(forms).")
        }
    }

    private static func check(_ change: (inout NodeSettings) -> Void) throws {
        var settings = NodeSettings(dataDirectory: URL(filePath: "/"))
        change(&settings)
        do {
            try settings.validate()
        } catch {
            throw Problem(error)
        }
    }

    // MARK: The log

    private static let logging: [Self] =
        [
            .choice(
                "log.level",
                of: Logger.Level.self,
                "The least level of lines: trace, debug, info, notice, warning, error, critical.",
                set: { $1.log.level = $0 },
                get: { $0.log.level }
            ).reloaded,
            .choice(
                "log.format",
                of: LogOptions.Format.self,
                "Lines of text, or a JSON object a line.",
                set: { $1.log.format = $0 },
                get: { $0.log.format }
            ).reloaded,
        ]
        + LogOptions.subsystems.map { subsystem in
            .choice(
                "log.levels.\(subsystem)",
                of: Logger.Level.self,
                "The same as log.level, for the lines of parley.\(subsystem).",
                set: { $1.log.levels[subsystem] = $0 },
                get: { $0.log.levels[subsystem] }
            ).reloaded
        }

    // MARK: Limits

    private static let limits: [Self] = [
        .number("limits.conversations", \.limits.conversations, 1...4_096, "Conversations."),
        .number("limits.links", \.limits.links, 2...Limits.linksMax, "Links to members."),
        .number(
            "limits.strangers",
            \.limits.strangers,
            1...4_096,
            "Connections that have proved nothing yet."
        ),
        .number(
            "limits.strangers-per-address",
            \.limits.strangersPerSource,
            1...4_096,
            "The same, from one address."
        ),
        .number("limits.dials", \.limits.dials, 1...256, "Dials under way."),
        .number(
            "limits.stranger-dials",
            \.limits.strangerDialsPerSecond,
            1...100,
            "Dials a second to devices that are not known to share a conversation."
        ),
        .number("limits.addresses", \.limits.addresses, 16...65_536, "Addresses that are known."),
        .number(
            "limits.names",
            \.limits.deviceNames,
            16...65_536,
            "Names of members' devices that are remembered."
        ),
        .number("limits.blobs", \.limits.blobFetches, 1...64, "Pictures fetched at a time."),
        .size(
            "limits.cache",
            \.limits.cacheBytes,
            1 << 20...4 << 30,
            "Envelopes in memory, so that they need not be read back."
        ),
        .size(
            "limits.announced",
            \.limits.announcedBytes,
            1 << 20...128 << 20,
            "Memory for the names of envelopes that peers have and this node lacks."
        ),
        .size(
            "limits.free-space",
            \.limits.freeSpace,
            0...1 << 50,
            "Bytes that the disk of the data keeps free; with fewer, nothing is stored."
        ),
        .size(
            "limits.first-check",
            \.limits.firstScrubBytesPerSecond,
            64 << 10...1 << 30,
            "Bytes of pictures that are read back and checked a second, after the start."
        ),
        .size(
            "limits.check",
            \.limits.scrubBytesPerSecond,
            64 << 10...1 << 30,
            "The same, later."
        ),
    ]

    // MARK: Quotas

    private static let quotas: [Self] =
        quota(
            "conversation",
            of: "a conversation",
            \.limits.quota.conversation.heads,
            \.limits.quota.conversation.bytes,
            \.limits.quota.conversation.origins
        )
        + quota(
            "device",
            of: "a device in a conversation",
            \.limits.quota.device.heads,
            \.limits.quota.device.bytes,
            \.limits.quota.device.origins
        )
        + quota(
            "open-conversation",
            of: "an open conversation",
            \.limits.openQuota.conversation.heads,
            \.limits.openQuota.conversation.bytes,
            \.limits.openQuota.conversation.origins
        )
        + quota(
            "open-device",
            of: "a device in an open conversation",
            \.limits.openQuota.device.heads,
            \.limits.openQuota.device.bytes,
            \.limits.openQuota.device.origins
        )
        + quota(
            "open-conversations",
            of: "all open conversations together",
            \.limits.openConversations.heads,
            \.limits.openConversations.bytes,
            \.limits.openConversations.origins
        )
        + quota(
            "all-conversations",
            of: "all conversations together",
            \.limits.allConversations.heads,
            \.limits.allConversations.bytes,
            \.limits.allConversations.origins
        )

    private static func quota(
        _ name: String,
        of owner: String,
        _ heads: Place<Int>,
        _ bytes: Place<Int>,
        _ origins: Place<Int>
    ) -> [Self] {
        [
            .number(
                "quotas.\(name).sessions",
                heads,
                1...16_777_216,
                "Sessions of \(owner); each of several moves at the same time counts."
            ),
            .size(
                "quotas.\(name).bytes",
                bytes,
                1 << 20...1 << 50,
                "Bytes of \(owner) on the disk, with pictures."
            ),
            .number(
                "quotas.\(name).writers",
                origins,
                1...1_048_576,
                name.hasSuffix("device")
                    ? "Origins of \(owner): one, and one more after a restore, copy or leave."
                    : "Devices that write in \(owner); each new key counts as one."
            ),
        ]
    }
}
