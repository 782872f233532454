import Dispatch
import Foundation
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyTransport

/// The floor: the transport of a node alone.
///
/// The bytes of each connection are forwarded to all others unchanged.
enum FloorChild {
    static func run() throws {
        MemoryTuning.keepLittleUnused()
        let executor = QueueExecutor(label: "bench.floor")
        let relay = Relay(executor)
        let address = try executor.queue.sync { try relay.assumeIsolated { try $0.start() } }
        NodeChild.answer(address)
        while readLine() != nil {}
        executor.queue.sync { relay.assumeIsolated { $0.stop() } }
    }

    private actor Relay: ConnectionObserver {
        nonisolated let executor: QueueExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }
        private var transport: Transport?
        private var connections: [ConnectionID] = []

        init(_ executor: QueueExecutor) {
            self.executor = executor
        }

        func start() throws -> String {
            let identity = try TransportIdentity(privateKey: DeviceKey.random().rawPrivateKey)
            let transport = try Transport(on: executor, identity: identity, observer: self)
            self.transport = transport
            let bound = try transport.listen(on: [.loopback4(port: 0)])
            return bound.first?.description ?? "nowhere"
        }

        func stop() {
            transport?.stop()
        }

        nonisolated func connectionArrived(
            _ id: ConnectionID,
            from remote: SocketAddress
        ) -> Bool { true }

        nonisolated func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening) {
            assumeIsolated { relay in
                relay.connections.append(id)
                // The ping tells the other side that it receives everything from now on.
                var bytes: [UInt8] = []
                Frame.ping(0).append(to: &bytes)
                relay.transport?.send(bytes, to: id)
            }
        }

        nonisolated func connectionReceived(_ id: ConnectionID, _ bytes: Slice) {
            assumeIsolated { relay in
                let copy = bytes.bytes
                for other in relay.connections where other != id {
                    relay.transport?.send(copy, to: other)
                }
            }
        }

        nonisolated func connectionDrained(_ id: ConnectionID) {}

        nonisolated func connectionClosed(_ id: ConnectionID, _ reason: TransportError) {
            assumeIsolated { $0.connections.removeAll { $0 == id } }
        }

        nonisolated func dialFailed(_ dial: TransportDialID, _ failures: [DialFailure]) {}

        nonisolated func listenerPaused(_ reason: TransportError?) {}
    }
}
