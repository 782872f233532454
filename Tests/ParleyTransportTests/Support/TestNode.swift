import Dispatch
import ParleyCore
import ParleyLoop
import ParleyTransport
import TestSupport

/// A transport with its own loop and a recorder of its events.
final class TestNode: Sendable {
    let executor: QueueExecutor
    let identity: TransportIdentity
    let recorder: Recorder
    let transport: Transport

    /// Makes a node whose private key consists of the byte `key`.
    init(
        key: UInt8,
        settings: TransportSettings = TransportSettings(),
        reaction: Recorder.Reaction = Recorder.Reaction()
    ) throws {
        executor = QueueExecutor(label: "test.\(key)")
        identity = try TransportIdentity(privateKey: [UInt8](repeating: key, count: 32))
        recorder = Recorder(reaction)
        transport = try Transport(
            on: executor,
            identity: identity,
            settings: settings,
            observer: recorder
        )
        recorder.attach(transport)
    }

    /// Calls the transport on its loop.
    func onLoop<Result: Sendable>(_ body: (Transport) throws -> Result) rethrows -> Result {
        try executor.queue.sync { try body(transport) }
    }

    /// Listens on 127.0.0.1 and returns the address.
    func listen() throws -> SocketAddress {
        let bound = try onLoop { try $0.listen(on: [.loopback4(port: 0)]) }
        return try bound.first ?? { throw TestFailure("no listener") }()
    }

    /// Opens a connection to `server`, which listens, and returns its identifiers on both sides.
    func connect(to server: TestNode, at address: SocketAddress) async throws -> TestLink {
        let before = server.recorder.log.opened.count
        let dial = onLoop { $0.dial([.address(address)]) }
        let opening = try await eventually("the dial opens") {
            self.recorder.log.opened.first { $0.opening.dial == dial }
        }
        let accepted = try await eventually("the peer opens") {
            let opened = server.recorder.log.opened
            return opened.count > before ? opened[before] : nil
        }
        return TestLink(here: opening.id, there: accepted.id)
    }

    func stop() {
        onLoop { $0.stop() }
        // Wait until the cancel handlers, which close descriptors, have run.
        executor.queue.sync {}
    }
}

/// The identifiers of one connection on both sides.
struct TestLink {
    let here: ConnectionID
    let there: ConnectionID
}

/// The error with which a test gives up.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
