public import ParleyNode

extension AppHost {
    /// Runs apps on a started node, from now on; `stop` it before the node.
    public static func start(
        _ apps: [HostedApp],
        on node: Node,
        settings: HostSettings = HostSettings()
    ) async -> AppHost {
        let access = NodeAccess(node)
        await access.start()
        let host = AppHost(apps: apps, settings: settings, node: access)
        host.start()
        return host
    }
}
