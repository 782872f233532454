import Dispatch
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyTransport
import Synchronization

/// A stranger with a key of its own that says hello, and leaves once the node has answered that.
final class Visitor: ConnectionObserver {
    private struct State {
        var transport: Transport?
        var frames = FrameParser()
        var hasLeft = false
    }

    private let executor = QueueExecutor(label: "visitor")
    private let state = Mutex(State())
    private let goodbye: GoodbyeReason?

    /// Dials a node; `goodbye` is what it says before it leaves.
    init(
        to address: String,
        as key: DeviceKey = DeviceKey.random(),
        saying goodbye: GoodbyeReason? = nil
    ) throws {
        self.goodbye = goodbye
        let transport = try Transport(
            on: executor,
            identity: try TransportIdentity(privateKey: key.rawPrivateKey),
            observer: self
        )
        state.withLock { $0.transport = transport }
        let endpoint = try Endpoint(parsing: address)
        executor.queue.sync { _ = transport.dial([endpoint]) }
    }

    /// Whether the connection is over.
    var hasLeft: Bool { state.withLock { $0.hasLeft } }

    private var transport: Transport? { state.withLock { $0.transport } }

    func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool { false }

    func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        let hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "visitor",
            deviceName: "visitor",
            processNonce: 1
        )
        var bytes: [UInt8] = []
        Frame.hello(hello).append(to: &bytes)
        transport?.send(bytes, to: id)
    }

    func connectionReceived(_ id: ConnectionID, _ bytes: Slice) {
        let isGreeted = state.withLock { state in
            state.frames.append(bytes)
            var isGreeted = false
            while let raw = try? state.frames.next(frameBytesMax: Limits.frameBytes) {
                if raw.type == FrameType.conversations.rawValue { isGreeted = true }
            }
            return isGreeted
        }
        guard isGreeted else { return }
        var bytes: [UInt8] = []
        if let goodbye { Frame.goodbye(Goodbye(reason: goodbye)).append(to: &bytes) }
        transport?.send(bytes, to: id)
        transport?.close(id)
    }

    func connectionDrained(_ id: ConnectionID) {}

    func connectionClosed(_ id: ConnectionID, _ reason: TransportError) { leave() }

    func dialFailed(_ dial: TransportDialID, _ failures: [DialFailure]) { leave() }

    func listenerPaused(_ reason: TransportError?) {}

    private func leave() { state.withLock { $0.hasLeft = true } }
}
