import ParleyCore
import ParleyTransport
import Synchronization

/// Records the events of a transport and reacts as the test prescribes.
final class Recorder: ConnectionObserver {
    /// The reactions to events, which run on the loop after the event was recorded.
    struct Reaction: Sendable {
        var admits: @Sendable (SocketAddress) -> Bool = { _ in true }
        var opened: @Sendable (Transport, ConnectionID) -> Void = { _, _ in }
        var received: @Sendable (Transport, ConnectionID, Slice) -> Void = { _, _, _ in }
        var drained: @Sendable (Transport, ConnectionID) -> Void = { _, _ in }
        var keepsBytes = true
    }

    struct Opened: Sendable {
        let id: ConnectionID
        let opening: ConnectionOpening
    }

    struct Log: Sendable {
        var arrived: [ConnectionID] = []
        var opened: [Opened] = []
        var received: [ConnectionID: [UInt8]] = [:]
        var receivedCount: [ConnectionID: Int] = [:]
        var drained: [ConnectionID: Int] = [:]
        var closed: [ConnectionID: TransportError] = [:]
        var failures: [TransportDialID: [DialFailure]] = [:]
        var pauses: [TransportError?] = []
    }

    private struct State: Sendable {
        weak var transport: Transport?
        var log = Log()
    }

    private let reaction: Reaction
    private let state = Mutex(State())

    init(_ reaction: Reaction) {
        self.reaction = reaction
    }

    func attach(_ transport: Transport) {
        state.withLock { $0.transport = transport }
    }

    var log: Log { state.withLock { $0.log } }

    func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool {
        state.withLock { $0.log.arrived.append(id) }
        return reaction.admits(remote)
    }

    func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        note { $0.opened.append(Opened(id: id, opening: opening)) }
        react { reaction.opened($0, id) }
    }

    func connectionReceived(_ id: ConnectionID, _ bytes: Slice) {
        note { log in
            if reaction.keepsBytes { log.received[id, default: []] += bytes.bytes }
            log.receivedCount[id, default: 0] += bytes.count
        }
        react { reaction.received($0, id, bytes) }
    }

    func connectionDrained(_ id: ConnectionID) {
        note { $0.drained[id, default: 0] += 1 }
        react { reaction.drained($0, id) }
    }

    func connectionClosed(_ id: ConnectionID, _ reason: TransportError) {
        note { log in
            precondition(log.closed[id] == nil, "a connection was closed twice")
            log.closed[id] = reason
        }
    }

    func dialFailed(_ dial: TransportDialID, _ failures: [DialFailure]) {
        note { $0.failures[dial] = failures }
    }

    func listenerPaused(_ reason: TransportError?) {
        note { $0.pauses.append(reason) }
    }

    private func note(_ change: (inout Log) -> Void) {
        state.withLock { change(&$0.log) }
    }

    private func react(_ body: (Transport) -> Void) {
        guard let transport = state.withLock({ $0.transport }) else { return }
        body(transport)
    }
}
