import ArgumentParser
import Foundation
import Logging
import ParleyAPI
import ParleyLoop
import ParleyProxy
import ParleyWeb
import ServiceLifecycle
import Synchronization
import UnixSignals

/// `parley proxy run`.
struct ProxyRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the proxies and their control, until Ctrl-C.",
        discussion: """
              parley proxy run
              parley proxy run --config proxies.json --seed 17

            The file is a JSON list, as for Toxiproxy; a proxy in it may have toxics, too:

              [{"name": "redis", "listen": "127.0.0.1:26379", "upstream": "127.0.0.1:6379"}]
            """
    )
    @Option(
        help: ArgumentHelp("The proxies to start with, a JSON file.", valueName: "file")
    )
    var config: String?
    @Option(
        help: ArgumentHelp(
            "Where to serve the control (default: 127.0.0.1:8474).",
            valueName: "host:port"
        )
    )
    var control: String?
    @Option(help: "The seed that all faults follow from (default: one drawn and printed).")
    var seed: UInt64?
    @Flag(help: "Serve metrics at /metrics of the control.") var metrics = false
    @Flag(help: "Print JSON for programs: one line when all is ready.") var json = false

    func validate() throws {
        guard let control else { return }
        do {
            _ = try PageAddress(parsing: control)
        } catch {
            throw ValidationError("--control takes HOST:PORT, and got '\(control)'.")
        }
    }

    func run() async throws {
        Output.isService.withLock { $0 = true }
        _ = DescriptorLimit.raise()
        // A number that people can type, and that JSON can hold.
        let seed = seed ?? UInt64.random(in: 0..<1_000_000_000)
        let proxies = FaultProxies(seed: seed, hasMetrics: metrics)
        let server = try FaultProxyServer(
            proxies: proxies,
            address: try control.map(PageAddress.init(parsing:)) ?? FaultProxyServer.usual,
            logger: Logger(label: "parley.proxy")
        )
        let count = try await populate(proxies)
        announce(server, seed: seed, count: count)
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: ProxyService(server: server))],
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: Logger(label: "parley.life") { _ in SwiftLogNoOpLogHandler() }
        )
        configuration.maximumCancellationDuration = .seconds(5)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: configuration).run()
    }

    private func populate(_ proxies: FaultProxies) async throws -> Int {
        guard let config else { return 0 }
        let data = try SmallFile.contents(
            of: config,
            bytesMax: Self.configurationBytesMax,
            "list of proxies"
        )
        do throws(ControlProblem) {
            return try await proxies.populate(configuration: Array(data))
        } catch {
            throw Problem(
                error.status == 500 ? .notListening : .badInput,
                "\(config): \(error.message)",
                hint: "See the example in: parley help proxy run"
            )
        }
    }

    private func announce(_ server: FaultProxyServer, seed: UInt64, count: Int) {
        if json {
            Output.standard.line(
                JSONText.object([
                    ("control", JSONText.string("http://\(server.address)")), ("seed", "\(seed)"),
                    ("proxies", "\(count)"),
                ])
            )
            return
        }
        let proxies = count == 1 ? "1 proxy" : "\(count) proxies"
        Output.error.line("\(proxies), control at http://\(server.address), seed \(seed)")
        if count == 0 {
            Output.error.line("hint: parley proxy create -l 127.0.0.1:0 -u HOST:PORT NAME")
        }
        if !server.address.isLoopback {
            Output.error.line("warning: everybody in the network can change these proxies")
        }
    }

    private static let configurationBytesMax = 16 << 20
}

/// The control of the proxies as a service.
private struct ProxyService: Service {
    let server: FaultProxyServer

    func run() async { await server.run() }
}
