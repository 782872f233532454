import Dispatch
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyTransport
import Synchronization

/// A device that connects to a node for a file, sends what it likes, and keeps what comes.
final class FileAsker: ConnectionObserver {
    private struct State {
        var transport: Transport?
        var opening = FileOpening()
        var answer: FileAnswer?
        var received: [UInt8] = []
        var isOver = false
    }

    private let executor = QueueExecutor(label: "asker")
    private let state = Mutex(State())
    private let sends: @Sendable (_ exporter: Bytes32) -> [UInt8]

    /// Dials a node; `sends` makes the first bytes.
    init(at address: String, sends: @escaping @Sendable (_ exporter: Bytes32) -> [UInt8]) throws {
        self.sends = sends
        let transport = try Transport(
            on: executor,
            identity: try TransportIdentity(privateKey: DeviceKey.random().rawPrivateKey),
            observer: self
        )
        state.withLock { $0.transport = transport }
        let endpoint = try Endpoint(parsing: address)
        executor.queue.sync { _ = transport.dial([endpoint], offering: .file) }
    }

    /// A request as the specification has it, with a key that is, or is not, that of the readers.
    static func request(
        _ session: SessionUUID,
        at offset: UInt64,
        readKey: Bytes32,
        _ exporter: Bytes32
    ) -> [UInt8] {
        let crypto = DeviceCryptography(DeviceKey.random())
        let key = crypto.deriveKey(from: readKey, info: Array("parley file".utf8).span.bytes)
        let message = Array("parley file 1".utf8) + exporter.bytes + session.bytes
        let proof = crypto.hmac(message.span.bytes, key: key)
        return FileOpening.bytes(of: FileRequest(session: session, offset: offset, proof: proof))
    }

    /// The first answer of the node, and the bytes after it.
    var answer: FileAnswer? { state.withLock { $0.answer } }
    var received: [UInt8] { state.withLock { $0.received } }
    /// Whether the node has ended the connection.
    var isOver: Bool { state.withLock { $0.isOver } }

    func stop() {
        let transport = state.withLock { $0.transport }
        executor.queue.sync { transport?.stop() }
    }

    func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool { false }

    func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        let transport = state.withLock { $0.transport }
        transport?.send(sends(opening.exporter), to: id)
    }

    func connectionReceived(_ id: ConnectionID, _ bytes: Slice) {
        state.withLock { state in
            guard state.answer == nil else { return state.received += bytes.bytes }
            guard let found = try? state.opening.add(bytes) else { return }
            state.answer = try? FileOpening.answer(in: found.item)
            state.received = found.rest.bytes
        }
    }

    func connectionDrained(_ id: ConnectionID) {}

    func connectionClosed(_ id: ConnectionID, _ reason: TransportError) {
        state.withLock { $0.isOver = true }
    }

    func dialFailed(_ dial: TransportDialID, _ failures: [DialFailure]) {
        state.withLock { $0.isOver = true }
    }

    func listenerPaused(_ reason: TransportError?) {}
}
