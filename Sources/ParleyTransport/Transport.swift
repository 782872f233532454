import ParleyCore
package import ParleyLoop

/// The connections, listeners and dials of one node, on the node's loop.
///
/// Every call must be made on the loop's queue, and returns without calling the observer, which
/// receives the results later. A call with the identifier of a connection that has ended does
/// nothing.
package actor Transport {
    package nonisolated let executor: QueueExecutor
    let owner: ConnectionOwner
    weak var observer: (any ConnectionObserver)?
    var connections: [ConnectionID: Connection] = [:]
    var dials: [TransportDialID: DialAttempts] = [:]
    var lookups: [Endpoint: [TransportDialID]] = [:]
    var listeners: [Listener] = []
    let resolver = Resolver()
    private var dirty: [Connection] = []
    private var unreported: [(Connection, Connection.News)] = []
    private var iterationEnd: IterationEnd?
    /// The connections that wait for a turn, the next one first.
    private var line: [ConnectionID] = []
    private var lineTurn: IterationEnd?
    private var lastNumber: UInt64 = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes a transport without listeners.
    ///
    /// - Parameters:
    ///   - executor: The loop of the node.
    ///   - identity: The key and certificate of this node.
    ///   - settings: Times and sizes.
    ///   - observer: The receiver of all events; it is referenced weakly.
    /// - Throws: `TransportError.setup` if OpenSSL lacks a feature that the protocol needs.
    package init(
        on executor: QueueExecutor,
        identity: TransportIdentity,
        settings: TransportSettings = TransportSettings(),
        observer: any ConnectionObserver
    ) throws(TransportError) {
        self.executor = executor
        let tls = try TLSContext(identity: identity, settings: settings)
        owner = ConnectionOwner(executor: executor, settings: settings, tls: tls)
        self.observer = observer
    }

    // MARK: Bytes

    /// Queues `bytes` for a connection.
    ///
    /// All bytes that are queued in an iteration of the loop are sealed and written together at its
    /// end.
    package nonisolated func send(_ bytes: [UInt8], to id: ConnectionID) {
        assumeIsolated { transport in
            guard let connection = transport.connections[id] else { return }
            connection.send(bytes)
            transport.markDirty(connection)
        }
    }

    /// Seals and writes the queued bytes now, instead of at the end of the loop iteration.
    package nonisolated func flush() {
        assumeIsolated { transport in
            for (connection, news) in transport.flushDirty() {
                transport.reportLater(connection, news)
            }
        }
    }

    /// The bytes queued for a connection that the kernel has not accepted; 0 if the connection has
    /// ended.
    package nonisolated func unwrittenBytes(of id: ConnectionID) -> Int {
        assumeIsolated { $0.connections[id]?.unwrittenBytes ?? 0 }
    }

    /// The bytes queued for a connection that the peer's machine has not acknowledged; 0 if the
    /// connection has ended.
    ///
    /// A machine with memory left acknowledges bytes even if the peer does not read.
    package nonisolated func unacknowledgedBytes(of id: ConnectionID) -> Int {
        assumeIsolated { $0.connections[id]?.unacknowledgedBytes ?? 0 }
    }

    /// The smoothed round trip time that the kernel has measured; nil if the connection has ended.
    ///
    /// The kernel knows the time from the first packets on, while pings are sent only on a silent
    /// link.
    package nonisolated func roundTrip(of id: ConnectionID) -> Duration? {
        assumeIsolated { $0.connections[id]?.roundTrip }
    }

    /// Reads no more from a connection until `resumeReading`, so that the peer has to wait.
    ///
    /// Bytes of a file wait for the disk. On a link, a node limits its peer by credit and always
    /// reads.
    package nonisolated func pauseReading(from id: ConnectionID) {
        assumeIsolated { $0.connections[id]?.pauseReading() }
    }

    /// Undoes `pauseReading`.
    package nonisolated func resumeReading(from id: ConnectionID) {
        assumeIsolated { $0.connections[id]?.resumeReading() }
    }

    // MARK: Turns

    /// Counts work that the bytes of a connection caused, beyond the work of TLS.
    ///
    /// While work is unfinished, nothing is read from the connection. When the turn of the work
    /// comes, the observer receives `connectionReceived` without bytes and has to call `charge`
    /// again.
    package nonisolated func charge(_ id: ConnectionID, work units: Int, isUnfinished: Bool) {
        assumeIsolated { transport in
            guard let connection = transport.connections[id] else { return }
            if connection.charge(units, isUnfinished: isUnfinished).waits {
                transport.standInLine(id)
            }
        }
    }

    /// Puts a connection at the end of the line.
    ///
    /// The line gets one turn in each iteration of the loop, after all other work. So the
    /// connections in the line share one turn per iteration, while all others are read as bytes
    /// arrive.
    private func standInLine(_ id: ConnectionID) {
        line.append(id)
        let turn =
            lineTurn
            ?? IterationEnd(on: executor) { [weak self] in
                self?.assumeIsolated { $0.takeLineTurn() }
            }
        lineTurn = turn
        turn.request()
    }

    private func takeLineTurn() {
        lineTurn?.begin()
        while !line.isEmpty {
            let id = line.removeFirst()
            guard connections[id] != nil else { continue }
            run(id) { $0.takeTurn() }
            break
        }
        if !line.isEmpty { lineTurn?.request() }
    }

    // MARK: Ending

    /// Sends the queued bytes and the end of the stream, and waits for the peer's end, all within
    /// the close timeout; `connectionClosed` follows, and no `connectionReceived`.
    package nonisolated func close(_ id: ConnectionID) {
        assumeIsolated { transport in
            guard let connection = transport.connections[id] else { return }
            transport.reportLater(connection, connection.close())
        }
    }

    /// Resets a connection; the observer receives no further event for it.
    package nonisolated func abort(_ id: ConnectionID) {
        assumeIsolated { $0.connections.removeValue(forKey: id)?.abort() }
    }

    /// Closes the listeners and resets all connections; the observer receives no further event.
    package nonisolated func stop() {
        assumeIsolated { transport in
            transport.closeListeners()
            transport.dials = [:]
            transport.lookups = [:]
            for connection in transport.connections.values { connection.abort() }
            transport.connections = [:]
            transport.dirty = []
            transport.line = []
            transport.unreported = []
        }
    }

    // MARK: Reading functions

    /// The counters of this transport.
    package nonisolated var counters: TransportCounters {
        assumeIsolated { $0.owner.counters }
    }

    // MARK: Inside

    /// A new number for a connection or a dial.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Makes a connection on `descriptor`, adds it to the transport and starts it.
    func adopt(
        _ descriptor: Descriptor,
        as id: ConnectionID,
        to remote: SocketAddress,
        dial: TransportDialID?,
        offering offered: TransportProtocol = .link
    ) {
        let handlers = Connection.Handlers(
            readReady: { [weak self] mayBeLast in
                self?.assumeIsolated { $0.run(id) { $0.readReady(mayBeLast: mayBeLast) } }
            },
            writeReady: { [weak self] in
                self?.assumeIsolated { $0.run(id) { $0.writeReady() } }
            },
            deadlinePassed: { [weak self] in
                self?.assumeIsolated { $0.run(id) { $0.deadlinePassed() } }
            }
        )
        let connection = Connection(
            id,
            on: descriptor,
            to: remote,
            dial: dial,
            offering: offered,
            owner: owner,
            handlers: handlers
        )
        connections[id] = connection
        report(connection, connection.start())
    }

    private func run(_ id: ConnectionID, _ input: (Connection) -> Connection.News) {
        guard let connection = connections[id] else { return }
        report(connection, input(connection))
    }

    /// Reports the events of one input to the observer, which may end the connection in each call.
    private func report(_ connection: Connection, _ news: Connection.News) {
        if let opening = news.opening { opened(connection, opening) }
        if let bytes = news.received, isKnown(connection) {
            observer?.connectionReceived(connection.id, bytes)
        }
        if news.waits { standInLine(connection.id) }
        if news.didDrain, isKnown(connection) { observer?.connectionDrained(connection.id) }
        if let reason = news.ended, isKnown(connection) { ended(connection, reason) }
    }

    private func isKnown(_ connection: Connection) -> Bool {
        connections[connection.id] != nil
    }

    private func opened(_ connection: Connection, _ opening: ConnectionOpening) {
        owner.counters.opened += 1
        connection.wasReported = true
        if let dial = connection.dial {
            guard attemptOpened(connection, of: dial) else { return }
        }
        observer?.connectionOpened(connection.id, opening)
    }

    private func ended(_ connection: Connection, _ reason: TransportError) {
        connections[connection.id] = nil
        if !connection.wasReported { owner.counters.handshakesFailed += 1 }
        if let dial = connection.dial, !connection.wasReported {
            attemptFailed(dial, connection, reason)
        } else {
            observer?.connectionClosed(connection.id, reason)
        }
    }

    // MARK: The end of a loop iteration

    private func markDirty(_ connection: Connection) {
        guard !connection.isDirty else { return }
        connection.isDirty = true
        dirty.append(connection)
        requestIterationEnd()
    }

    private func reportLater(_ connection: Connection, _ news: Connection.News) {
        guard news.didDrain || news.ended != nil else { return }
        unreported.append((connection, news))
        requestIterationEnd()
    }

    private func requestIterationEnd() {
        let iterationEnd =
            iterationEnd
            ?? IterationEnd(on: executor) { [weak self] in
                self?.assumeIsolated { $0.endIteration() }
            }
        self.iterationEnd = iterationEnd
        iterationEnd.request()
    }

    private func endIteration() {
        iterationEnd?.begin()
        let reports = unreported + flushDirty()
        unreported = []
        for (connection, news) in reports { report(connection, news) }
    }

    private func flushDirty() -> [(Connection, Connection.News)] {
        let connections = dirty
        dirty = []
        return connections.map { ($0, $0.flush()) }
    }
}
