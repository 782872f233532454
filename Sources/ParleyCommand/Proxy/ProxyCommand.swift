import ArgumentParser

/// `parley proxy`.
struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Break TCP connections of any protocol on purpose: latency, cuts, damage.",
        discussion: """
            Start it, put a proxy before a server, and give it toxics:

              parley proxy
              parley proxy create -l 127.0.0.1:26379 -u 127.0.0.1:6379 redis
              parley proxy toxic add -t latency -a latency=100 redis
              parley proxy toggle redis

            Its control is that of Toxiproxy 2.12: clients for that one drive it unchanged. The \
            same seed gives the same faults at the same bytes.
            """,
        subcommands: [
            ProxyRunCommand.self, ProxyReplayCommand.self, ProxyListCommand.self,
            ProxyInspectCommand.self,
            ProxyCreateCommand.self, ProxyToggleCommand.self, ProxyToxicCommand.self,
            ProxyConnectionsCommand.self, ProxyDeleteCommand.self,
        ],
        defaultSubcommand: ProxyRunCommand.self
    )
}
