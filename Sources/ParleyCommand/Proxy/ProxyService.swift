import Foundation
import Logging
import ParleyAPI
import ParleyLoop
import ParleyProxy
import ParleyWeb
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Proxies with their control, until Ctrl-C, and changes at their times.
struct ProxyService: Sendable {
    let proxies: FaultProxies
    private let server: FaultProxyServer

    /// - Throws: a `Problem` if the control cannot be served at the address.
    init(proxies: FaultProxies, control: String?, hasPage: Bool = false) throws {
        Output.isService.withLock { $0 = true }
        _ = DescriptorLimit.raise()
        self.proxies = proxies
        server = try FaultProxyServer(
            proxies: proxies,
            address: try control.map(PageAddress.init(parsing:)) ?? FaultProxyServer.usual,
            hasPage: hasPage,
            logger: Logger(label: "parley.proxy")
        )
    }

    var address: PageAddress { server.address }

    /// Makes the changes at their times, and serves until SIGINT or SIGTERM.
    ///
    /// `ready` is called once clients can connect, `finished` once all changes are made, and a
    /// signal ends the service.
    /// - Throws: a `Problem` if a change is refused.
    func serve(
        _ changes: [ScheduledRequest],
        ready: @escaping @Sendable () -> Void,
        finished: @escaping @Sendable () -> Void = {}
    ) async throws {
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: Control(server: server, ready: ready)),
                .init(
                    service: Schedule(changes: changes, proxies: proxies, finished: finished),
                    successTerminationBehavior: .ignore
                ),
            ],
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: Logger(label: "parley.life") { _ in SwiftLogNoOpLogHandler() }
        )
        configuration.maximumCancellationDuration = .seconds(5)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: configuration).run()
    }

    private struct Control: Service {
        let server: FaultProxyServer
        let ready: @Sendable () -> Void

        func run() async { await server.run(ready: ready) }
    }

    /// Makes the changes, each at its time after the start.
    private struct Schedule: Service {
        let changes: [ScheduledRequest]
        let proxies: FaultProxies
        let finished: @Sendable () -> Void

        func run() async throws {
            let start = ContinuousClock.now
            try await cancelWhenGracefulShutdown {
                for change in changes {
                    let time = start + .milliseconds(change.milliseconds)
                    do { try await Task.sleep(until: time) } catch { return }
                    let answer = await proxies.answer(change.request)
                    guard answer.status >= 300 else { continue }
                    let json = try? JSONReader.read(Array(answer.body.utf8))
                    throw Problem(
                        .badInput,
                        "A change is refused, \(change.request.method) \(change.request.path): "
                            + "\(json?.text("error") ?? answer.body).",
                        hint: "Look at the proxies and toxics that the steps before have made."
                    )
                }
                if !changes.isEmpty { finished() }
            }
        }
    }
}
