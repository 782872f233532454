import Foundation
public import ParleyNode

extension AppHost {
    /// Starts a host that runs apps on a started node; stop the host before the node.
    public static func start(
        _ apps: [HostedApp],
        on node: Node,
        settings: HostSettings = HostSettings()
    ) async -> AppHost {
        await start(
            apps,
            using: node,
            settings: settings,
            keepingArrivalsIn: node.keptFile(named: "arrivals.json"),
            folders: node.keptDirectory(named: "apps").map { AppFolders(directory: $0) }
        )
    }

    /// Starts a host that runs apps for the owner or a guest of a node.
    package static func start(
        _ apps: [HostedApp],
        using node: any MessagingNode,
        settings: HostSettings,
        keepingArrivalsIn file: KeptFile? = nil,
        folders: AppFolders? = nil
    ) async -> AppHost {
        let access = NodeAccess(node)
        await access.start()
        let milliseconds = Date().timeIntervalSince1970 * 1_000
        let host = AppHost(
            apps: apps,
            settings: settings,
            node: access,
            versionsAfter: UInt64(max(0, milliseconds)),
            keepingArrivalsIn: file,
            folders: folders
        )
        host.start()
        return host
    }
}
