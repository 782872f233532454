import Dispatch
import Foundation
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyTransport
import Synchronization

/// Strangers that do one expensive thing in a loop until the input ends: threads in a process of
/// its own.
enum StrangersChild {
    /// The behaviour of a stranger.
    enum Kind: String, CaseIterable, Sendable {
        /// It sends nothing, and only takes processor time.
        case busy
        /// Records with a byte each.
        case records
        /// A change of the key after each record; it comes again when it is refused.
        case updates
        /// Frames without a body, which are ignored.
        case frames
        /// Proofs of membership that prove nothing, each of which is compared with those that the
        /// node expects; it comes again with another key once it has sent as many as it may.
        case tags
        /// Handshakes, one after the other.
        case handshakes
    }

    static func run(_ arguments: ArraySlice<String>) throws {
        let words = Array(arguments)
        guard words.count == 3, let kind = Kind(rawValue: words[0]), let count = Int(words[1])
        else {
            throw BenchError.usage("strangers KIND COUNT ADDRESS")
        }
        let address = try SocketAddress(parsing: words[2])
        let strangers = try (0..<count).map { _ in try Stranger(kind, at: address) }
        for stranger in strangers { stranger.start() }
        NodeChild.answer("ready")
        while readLine() != nil {}
    }
}

/// One stranger, on a loop of its own.
final class Stranger: ConnectionObserver {
    private let kind: StrangersChild.Kind
    private let address: SocketAddress
    private let executor = QueueExecutor(label: "bench.stranger")
    private let made = Mutex<Transport?>(nil)
    private let random = Mutex(SystemRandomNumberGenerator())

    /// The frames of a stranger after its `hello`: all of a type that may be ignored.
    private static let frames = [UInt8](
        repeatElement([0, 0, 0, 250], count: 4_096).joined()
    )
    /// The bytes that may wait, so that it sends as fast as the node reads.
    private static let waitingMax = 256 << 10

    init(_ kind: StrangersChild.Kind, at address: SocketAddress) throws {
        self.kind = kind
        self.address = address
        try becomeAnother()
    }

    /// Takes another key.
    private func becomeAnother() throws {
        var settings = TransportSettings()
        if kind == .updates { settings.recordsPerKey = 1 }
        let transport = try Transport(
            on: executor,
            identity: try TransportIdentity(privateKey: DeviceKey.random().rawPrivateKey),
            settings: settings,
            observer: self
        )
        made.withLock { $0 = transport }
    }

    private var transport: Transport? { made.withLock { $0 } }

    func start() {
        guard kind != .busy else {
            return Thread.detachNewThread {
                var number: UInt64 = 1
                while number != 0 { number &*= 3 }
            }
        }
        executor.queue.async { self.dial() }
    }

    private func dial() { _ = transport?.dial([.address(address)]) }

    private func send(on id: ConnectionID) {
        guard let transport else { return }
        while transport.unwrittenBytes(of: id) < Self.waitingMax {
            switch kind {
            case .frames: transport.send(Self.frames, to: id)
            case .tags: transport.send(tags(), to: id)
            case .records, .updates:
                let size = kind == .records ? 1 : 4
                for start in stride(from: 0, to: 1_024, by: size) {
                    transport.send(Array(Self.frames[start..<start + size]), to: id)
                    transport.flush()
                }
            case .busy, .handshakes: return
            }
            transport.flush()
            guard transport.unwrittenBytes(of: id) > 0 else {
                // The kernel has taken all of it, so nothing tells when it is drained.
                return executor.queue.async { self.send(on: id) }
            }
        }
    }

    /// As many proofs as a stranger may send in one frame.
    private func tags() -> [UInt8] {
        let tags = random.withLock { random in
            (0..<504).map { _ in Bytes16(random.next(), random.next()) }
        }
        var bytes: [UInt8] = []
        Frame.conversations(ConversationTags(tags: tags)).append(to: &bytes)
        return bytes
    }

    // MARK: Events of the transport

    func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool { false }

    func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        guard kind != .handshakes else {
            transport?.abort(id)
            return dial()
        }
        let hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "stranger",
            deviceName: "stranger",
            processNonce: 1
        )
        var bytes: [UInt8] = []
        Frame.hello(hello).append(to: &bytes)
        transport?.send(bytes, to: id)
        send(on: id)
    }

    func connectionReceived(_ id: ConnectionID, _ bytes: Slice) {}

    func connectionDrained(_ id: ConnectionID) { send(on: id) }

    func connectionClosed(_ id: ConnectionID, _ reason: TransportError) {
        guard kind == .tags else { return dial() }
        // A device that was refused has to wait, and another one need not.
        executor.queue.async {
            try? self.becomeAnother()
            self.dial()
        }
    }

    func dialFailed(_ dial: TransportDialID, _ failures: [DialFailure]) {
        executor.queue.asyncAfter(deadline: .now() + .milliseconds(10)) { self.dial() }
    }

    func listenerPaused(_ reason: TransportError?) {}
}
