import ArgumentParser
import Foundation
import Logging
import MessagesHost
import ParleyAPI
import ParleyLoop
import ParleyNode
import ParleyTransport
import ParleyWeb
import ParleyYAML
import ServiceLifecycle
import Synchronization
import UnixSignals

/// `parley node`.
struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node",
        abstract: "Run a node in the foreground.",
        discussion: """
              parley node
              parley node --name kitchen --peer 192.168.1.20:27275
              parley node --relay --data /var/lib/parley

            When it is ready, the node prints a link that opens its page in a browser. The link \
            works once; for another one: parley page. It logs to standard error. Ctrl-C stops it \
            cleanly, and a second Ctrl-C at once.
            """
    )
    @Option(
        help: "The name of this device for people, kept for later starts (at first: the host name)."
    )
    var name: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "An address to listen on, or a port (default: all, port 27275); may be repeated.",
            valueName: "host:port"
        )
    )
    var listen: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A node to dial; may be repeated.", valueName: "host:port")
    )
    var peer: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Interfaces for discovery, such as 'eth*', or excluded ('!docker*'); may be repeated.",
            valueName: "glob"
        )
    )
    var interface: [String] = []
    @Flag(help: "Neither announce the node nor discover others.") var noDiscovery = false
    @Option(
        help: ArgumentHelp(
            """
            Where to serve the page (default: 127.0.0.1:8275, or the next free port); 'lan' is \
            every address of this machine.
            """,
            valueName: "host:port"
        )
    )
    var web: String?
    @Flag(help: "Serve no page.") var noWeb = false
    @Flag(help: "Show the link to the page as a QR code too, if --web lets other devices open it.")
    var qr = false
    @Flag(help: "Only store and forward for others: accept relay invites only, serve no page.")
    var relay = false
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Run this app without a person, in every conversation; may be repeated.",
            valueName: "app"
        )
    )
    var headless: [String] = []
    @Option(
        help: ArgumentHelp(
            "Where programs may read metrics and health, such as 9275 (default: nowhere).",
            valueName: "host:port"
        )
    )
    var metrics: String?
    @Flag(help: .hidden) var untilInputEnds = false
    @Option(
        help: ArgumentHelp(
            "A file with these options and limits (or PARLEY_CONFIG); see: parley config.",
            valueName: "file"
        )
    )
    var config: String?
    @OptionGroup var common: ProgramOptions

    func validate() throws {
        guard web == nil || !noWeb else {
            throw ValidationError("--web and --no-web cannot be used together.")
        }
        guard web == nil || !relay else {
            throw ValidationError("A relay serves no page: --web and --relay exclude each other.")
        }
        guard !(qr && (noWeb || relay)) else {
            let other = noWeb ? "--no-web" : "--relay"
            throw ValidationError("\(other) serves no page, and --qr shows the link to one.")
        }
        guard headless.isEmpty || !relay else {
            throw ValidationError(
                "A relay runs no apps: --headless and --relay exclude each other."
            )
        }
        do throws(Problem) {
            _ = try Configuration(file: nil, environment: [:], given: given)
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// The options as values of the keys that they set.
    private var given: [(name: String, value: YAMLNode)] {
        func list(_ texts: [String]) -> YAMLNode? {
            texts.isEmpty
                ? nil : YAMLNode(line: 0, value: .list(texts.map { YAMLNode(text: $0) }))
        }
        let values: [(String, YAMLNode?)] = [
            ("data", common.data.map { YAMLNode(text: $0) }),
            ("name", name.map { YAMLNode(text: $0) }),
            ("listen", list(listen)), ("peers", list(peer)), ("interfaces", list(interface)),
            ("discovery", noDiscovery ? YAMLNode(text: "no") : nil),
            ("relay", relay ? YAMLNode(text: "yes") : nil),
            ("web", (noWeb ? NodeOptions.off : web).map { YAMLNode(text: $0) }),
            ("headless", list(headless)), ("metrics", metrics.map { YAMLNode(text: $0) }),
        ]
        return values.compactMap { name, value in value.map { (name, $0) } }
    }

    func run() async throws {
        MemoryTuning.keepLittleUnused()
        let reloads = !NodeReload.hasTerminal && !EndSignals.isIgnored(.sighup)
        // An ignored SIGHUP loses nothing, as the configuration is read only afterwards.
        if reloads { signal(SIGHUP, SIG_IGN) }
        Output.isService.withLock { $0 = true }
        let load = { @Sendable [config, given] () throws(Problem) -> Configuration in
            let environment = ProcessInfo.processInfo.environment
            return try Configuration(
                file: ConfigurationFile.path(option: config, environment: environment),
                environment: environment,
                given: given
            )
        }
        let configuration = try load()
        let options = configuration.options
        let log = ServiceLog(options.log)
        log.bootstrap()
        let logger = Logger(label: "parley")
        checkDescriptors(DescriptorLimit.raise(), options, logger)
        let node = Node(NodeSettings(options))
        var services: [any Service] = [try service(node, options, logger)]
        if let metrics = try options.metrics.map(PageAddress.init(parsing:)) {
            services.append(try MetricsService(node: node, address: metrics, logger: logger))
        }
        if let watchdog = NodeWatchdog(node: node) { services.append(watchdog) }
        if reloads {
            services.append(
                NodeReload(node: node, log: log, logger: logger, started: configuration, load: load)
            )
        }
        let signals = EndSignals.ofService(besides: reloads ? .sighup : nil)
        services.append(StopSignal(signals: signals, logger: logger))
        var group = ServiceGroupConfiguration(
            services: services.map { service in
                .init(
                    service: service,
                    successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .cancelGroup
                )
            },
            logger: Logger(label: "parley.life") { _ in SwiftLogNoOpLogHandler() }
        )
        group.maximumCancellationDuration = .seconds(10)
        try await ServiceGroup(configuration: group).run()
    }

    private func service(
        _ node: Node,
        _ options: NodeOptions,
        _ logger: Logger
    ) throws -> NodeService {
        let page = PageChoice(
            isServed: options.hasPage,
            address: options.hasPage ? try options.web.map(PageAddress.init(parsing:)) : nil
        )
        if let address = page.address, !address.isLoopback {
            logger.warning(
                "the page at \(address) can be reached from the network, and is not encrypted"
            )
        }
        return NodeService(
            node: node,
            dataDirectory: options.dataDirectory,
            logger: logger,
            limits: options.limits,
            page: page,
            asJSON: common.json,
            pageCommand: common.command("page"),
            showsQRCode: qr,
            endsWithInput: untilInputEnds,
            apps: ProgramApps.all,
            headless: options.headless
        )
    }

    /// Warns if the limit of descriptors is below the possible need of a node.
    private func checkDescriptors(_ limit: Int, _ options: NodeOptions, _ logger: Logger) {
        let needed = options.descriptorsMax
        guard limit < needed else { return }
        logger.warning(
            """
            only \(limit) files and connections may be open, and up to \(needed) may be needed: \
            raise the hard limit, with LimitNOFILE= in a unit of systemd or ulimit -Hn in a shell
            """
        )
    }
}

extension NodeOptions {
    /// The chosen data directory, or the usual one.
    var dataDirectory: URL {
        DataLocation.directory(option: data, environment: ProcessInfo.processInfo.environment)
    }

    /// The most descriptors that a node with these options needs.
    var descriptorsMax: Int {
        NodeSettings(self).descriptorsMax + (hasPage ? PageServer.connectionsMax : 0)
    }
}

extension NodeSettings {
    /// The settings of the options.
    init(_ options: NodeOptions) {
        self.init(dataDirectory: options.dataDirectory)
        name = options.name
        listen = options.listen.isEmpty ? nil : options.listen
        peers = options.peers
        interfaces = options.interfaces
        usesDiscovery = options.usesDiscovery
        isRelay = options.isRelay
        limits = options.limits
    }
}
