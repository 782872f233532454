import ParleyCore
package import ParleyLoop

/// The connections, listeners and dials of one node, on the node's loop.
///
/// Every call is made on the loop's queue and returns without calling the observer; what comes of
/// it is told later. A call with the name of a connection that is gone does nothing.
package actor Transport {
    package nonisolated let executor: QueueExecutor
    let owner: ConnectionOwner
    weak var observer: (any ConnectionObserver)?
    var connections: [ConnectionID: Connection] = [:]
    var dials: [DialID: Dial] = [:]
    var lookups: [Endpoint: [DialID]] = [:]
    var listeners: [Listener] = []
    let resolver = Resolver()
    private var dirty: [Connection] = []
    private var untold: [(Connection, Connection.News)] = []
    private var turnEnd: TurnEnd?
    private var lastNumber: UInt64 = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes a transport without listeners.
    ///
    /// - Parameters:
    ///   - executor: The loop of the node.
    ///   - identity: What this node shows to its peers.
    ///   - settings: Times and sizes.
    ///   - observer: Who is told; not kept alive.
    /// - Throws: `TransportError.setup` if OpenSSL cannot do what the protocol asks.
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

    /// Queues `bytes` for a connection; all that is queued in one turn of the loop is sealed and
    /// written together at its end.
    package nonisolated func send(_ bytes: [UInt8], to id: ConnectionID) {
        assumeIsolated { transport in
            guard let connection = transport.connections[id] else { return }
            connection.send(bytes)
            transport.markDirty(connection)
        }
    }

    /// Seals and writes what was queued, instead of at the end of the turn.
    package nonisolated func flush() {
        assumeIsolated { transport in
            for (connection, news) in transport.flushDirty() {
                transport.tellLater(connection, news)
            }
        }
    }

    /// Bytes handed over for a connection that the kernel has not taken; 0 if it is gone.
    package nonisolated func unwrittenBytes(of id: ConnectionID) -> Int {
        assumeIsolated { $0.connections[id]?.unwrittenBytes ?? 0 }
    }

    /// Reads no more from a connection until `resumeReading`, so that the peer has to wait.
    package nonisolated func pauseReading(from id: ConnectionID) {
        assumeIsolated { $0.connections[id]?.pauseReading() }
    }

    /// Undoes `pauseReading`.
    package nonisolated func resumeReading(from id: ConnectionID) {
        assumeIsolated { $0.connections[id]?.resumeReading() }
    }

    // MARK: Ending

    /// Sends what is queued, says the end and waits for the peer to have seen it, all within the
    /// close timeout; `connectionClosed` follows, `connectionReceived` does not.
    package nonisolated func close(_ id: ConnectionID) {
        assumeIsolated { transport in
            guard let connection = transport.connections[id] else { return }
            transport.tellLater(connection, connection.close())
        }
    }

    /// Cuts a connection; nothing is told about it any more.
    package nonisolated func abort(_ id: ConnectionID) {
        assumeIsolated { $0.connections.removeValue(forKey: id)?.abort() }
    }

    /// Closes the listeners and cuts everything else; nothing is told any more.
    package nonisolated func stop() {
        assumeIsolated { transport in
            transport.listeners = []
            transport.dials = [:]
            transport.lookups = [:]
            for connection in transport.connections.values { connection.abort() }
            transport.connections = [:]
            transport.dirty = []
            transport.untold = []
        }
    }

    // MARK: Reading functions

    /// What the kernel knows about a connection; nil if it is gone.
    package nonisolated func health(of id: ConnectionID) -> ConnectionHealth? {
        assumeIsolated { $0.connections[id]?.health }
    }

    /// What was done so far.
    package nonisolated var counters: TransportCounters {
        assumeIsolated { $0.owner.counters }
    }

    // MARK: Inside

    /// A number for a connection or a dial.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Puts a connection under the transport's care and begins it.
    func adopt(
        _ descriptor: Descriptor,
        as id: ConnectionID,
        to remote: SocketAddress,
        dial: DialID?
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
            owner: owner,
            handlers: handlers
        )
        connections[id] = connection
        tell(connection, connection.start())
    }

    private func run(_ id: ConnectionID, _ input: (Connection) -> Connection.News) {
        guard let connection = connections[id] else { return }
        tell(connection, input(connection))
    }

    /// Tells the observer what one input led to; it may end the connection at each step.
    private func tell(_ connection: Connection, _ news: Connection.News) {
        if let opening = news.opening { opened(connection, opening) }
        if let bytes = news.received, isKnown(connection) {
            observer?.connectionReceived(connection.id, bytes)
        }
        if news.didDrain, isKnown(connection) { observer?.connectionDrained(connection.id) }
        if let reason = news.ended, isKnown(connection) { ended(connection, reason) }
    }

    private func isKnown(_ connection: Connection) -> Bool {
        connections[connection.id] != nil
    }

    private func opened(_ connection: Connection, _ opening: ConnectionOpening) {
        owner.counters.opened += 1
        connection.wasTold = true
        if let dial = connection.dial {
            guard dialReached(dial, connection, opening) else { return }
        }
        observer?.connectionOpened(connection.id, opening)
    }

    private func ended(_ connection: Connection, _ reason: TransportError) {
        connections[connection.id] = nil
        if !connection.wasTold { owner.counters.handshakesFailed += 1 }
        if let dial = connection.dial, !connection.wasTold {
            attemptFailed(dial, connection, reason)
        } else {
            observer?.connectionClosed(connection.id, reason)
        }
    }

    // MARK: The end of a turn

    private func markDirty(_ connection: Connection) {
        guard !connection.isDirty else { return }
        connection.isDirty = true
        dirty.append(connection)
        requestTurnEnd()
    }

    private func tellLater(_ connection: Connection, _ news: Connection.News) {
        guard news.didDrain || news.ended != nil else { return }
        untold.append((connection, news))
        requestTurnEnd()
    }

    private func requestTurnEnd() {
        let turnEnd =
            turnEnd
            ?? TurnEnd(on: executor) { [weak self] in self?.assumeIsolated { $0.endTurn() } }
        self.turnEnd = turnEnd
        turnEnd.request()
    }

    private func endTurn() {
        turnEnd?.begin()
        let told = untold + flushDirty()
        untold = []
        for (connection, news) in told { tell(connection, news) }
    }

    private func flushDirty() -> [(Connection, Connection.News)] {
        let connections = dirty
        dirty = []
        return connections.map { ($0, $0.flush()) }
    }
}
