import ParleyCore
import ParleyTransport

/// Passes the events of the transport of one peer to the driver.
final class PeerObserver: ConnectionObserver {
    private let driver: Driver
    private let index: Int

    init(_ driver: Driver, _ index: Int) {
        self.driver = driver
        self.index = index
    }

    func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool { false }

    func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        driver.assumeIsolated { $0.opened(index, id, opening) }
    }

    func connectionReceived(_ id: ConnectionID, _ bytes: Slice) {
        driver.assumeIsolated { $0.received(index, bytes) }
    }

    func connectionDrained(_ id: ConnectionID) {}

    func connectionClosed(_ id: ConnectionID, _ reason: TransportError) {
        driver.assumeIsolated { $0.failed("peer \(index): \(reason.description)") }
    }

    func dialFailed(_ dial: TransportDialID, _ failures: [DialFailure]) {
        let reason = failures.last?.reason.description ?? "no address"
        driver.assumeIsolated { $0.failed("peer \(index) cannot connect: \(reason)") }
    }

    func listenerPaused(_ reason: TransportError?) {}
}
