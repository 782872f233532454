import ArgumentParser
import Foundation
import Logging
import MessagesHost
import ParleyAPI
import ParleyLoop
import ParleyNode
import ParleyTransport
import ParleyWeb
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
            "The address to listen on (default: all, port 27275); may be repeated.",
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
            "Where to serve the page (default: 127.0.0.1:8275, or the next free port).",
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
    @Flag(help: .hidden) var untilInputEnds = false
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
        for word in headless { try checkApp(word) }
        do throws(AddressError) {
            _ = try web.map(PageAddress.init(parsing:))
        } catch {
            throw ValidationError("\(error).")
        }
        do throws(NodeError) {
            try settings.validate()
        } catch {
            throw ValidationError(Problem(error).message)
        }
    }

    /// Refuses a word by which a person means no app of this program, or several.
    private func checkApp(_ word: String) throws {
        let meant = ParleyProgram.apps.filter { $0.isCalled(word) }
        guard meant.count != 1 else { return }
        let choice = (meant.isEmpty ? ParleyProgram.apps : meant).map(\.id).sorted()
        let list = choice.isEmpty ? "none" : choice.joined(separator: ", ")
        throw ValidationError(
            meant.isEmpty
                ? "There is no app called \(word). There are: \(list)."
                : "\(word) means several apps: \(list)."
        )
    }

    func run() async throws {
        MemoryTuning.keepLittleUnused()
        Output.isService.withLock { $0 = true }
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let logger = Logger(label: "parley")
        checkDescriptors(DescriptorLimit.raise(), logger)
        let page = PageChoice(
            isServed: !noWeb && !relay,
            address: try web.map(PageAddress.init(parsing:))
        )
        if let address = page.address, !address.isLoopback {
            logger.warning(
                "the page at \(address) can be reached from the network, and is not encrypted"
            )
        }
        let node = NodeService(
            node: Node(settings),
            dataDirectory: common.dataDirectory,
            logger: logger,
            page: page,
            asJSON: common.json,
            pageCommand: common.command("page"),
            showsQRCode: qr,
            endsWithInput: untilInputEnds,
            apps: ParleyProgram.apps,
            headless: headless
        )
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(
                    service: node,
                    successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .cancelGroup
                )
            ],
            gracefulShutdownSignals: EndSignals.ofService,
            logger: Logger(label: "parley.life") { _ in SwiftLogNoOpLogHandler() }
        )
        configuration.maximumCancellationDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Warns if fewer descriptors may be open than a node can come to need.
    private func checkDescriptors(_ limit: Int, _ logger: Logger) {
        let needed = settings.descriptorsMax + (noWeb || relay ? 0 : PageServer.connectionsMax)
        guard limit < needed else { return }
        logger.warning(
            """
            only \(limit) files and connections may be open, and up to \(needed) may be needed: \
            raise the hard limit, with LimitNOFILE= in a unit of systemd or ulimit -Hn in a shell
            """
        )
    }

    private var settings: NodeSettings {
        var settings = NodeSettings(dataDirectory: common.dataDirectory)
        settings.name = name
        settings.listen = listen.isEmpty ? nil : listen
        settings.peers = peer
        settings.interfaces = interface
        settings.usesDiscovery = !noDiscovery
        settings.isRelay = relay
        return settings
    }
}
