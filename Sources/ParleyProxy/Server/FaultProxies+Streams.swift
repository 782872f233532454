import ParleyLoop

extension FaultProxies {
    /// Begins the streams of a connection whose server has answered.
    func begin(_ connection: ProxiedConnection, to server: Descriptor) {
        guard let entry = entries[connection.proxy], let sockets else {
            return end(connection, resets: true)
        }
        let now = Self.now()
        let address = connection.clientAddress.bytes
        ProxySocket.tune(server)
        let isWatched = connection.begin(to: server, in: sockets) { direction in
            var chain = ToxicChain(
                FaultDraws(seed: entry.seed),
                proxy: entry.name,
                connection: connection.number,
                direction: direction
            )
            for toxic in entry.toxics
            where toxic.directions.contains(direction) && toxic.concerns(address) {
                chain.add(toxic, at: now)
            }
            return chain
        }
        guard isWatched else { return end(connection, resets: true) }
        afterwards(connection, now)
    }

    func serve() {
        sockets?.serve { key, event in
            switch event {
            case .readable(let isLast): isReadable(key.connection, key.direction, isLast)
            case .writable: isWritable(key.connection, key.direction.opposite)
            }
        }
    }

    private func isReadable(_ id: UInt64, _ direction: StreamDirection, _ isLast: Bool) {
        guard let connection = connections[id], let flow = connection[direction] else { return }
        let now = Self.now()
        flow.read(buffer.bytes, at: now, isLast: isLast)
        afterwards(connection, now)
    }

    private func isWritable(_ id: UInt64, _ direction: StreamDirection) {
        guard let connection = connections[id], let flow = connection[direction] else { return }
        let now = Self.now()
        flow.flush()
        flow.read(buffer.bytes, at: now)
        afterwards(connection, now)
    }

    /// Lets leave what is due, and reads again if there was no room.
    func streamIsDue(
        _ id: UInt64,
        _ direction: StreamDirection,
        _ time: ProxyTime,
        _ now: ProxyTime
    ) {
        guard let connection = connections[id], let flow = connection[direction],
            flow.armed == time
        else { return }
        flow.armed = .never
        flow.take(flow.chain.advance(to: now))
        if !flow.source.reads { flow.read(buffer.bytes, at: now) }
        afterwards(connection, now)
    }

    /// Does what follows from any change of a connection: counts, wake-ups, its end.
    func afterwards(_ connection: ProxiedConnection, _ now: ProxyTime) {
        connection.settle(at: now)
        for direction in StreamDirection.allCases {
            guard let flow = connection[direction], !flow.chain.isBare else { continue }
            note(flow.chain.takeFaults(), of: connection, direction, now)
            let due = flow.chain.due
            guard due < flow.armed else { continue }
            flow.armed = due
            wake(.stream(connection.id, direction), at: due, now: now)
        }
        if connection.isOver { end(connection) }
    }

    /// Counts faults and tells the observer of them.
    func note(
        _ faults: [ChainFault],
        of connection: ProxiedConnection,
        _ direction: StreamDirection,
        _ now: ProxyTime
    ) {
        guard !faults.isEmpty, let entry = entries[connection.proxy] else { return }
        for fault in faults { entry.hits[fault.toxic, default: 0] += 1 }
        observer?.happened(
            faults.map { RecordedFault($0, of: connection, direction) },
            at: milliseconds(at: now)
        )
    }

    /// Closes a connection, by a reset if it was one or is to be one, and forgets it.
    func end(_ connection: ProxiedConnection, resets: Bool = false) {
        if let entry = entries[connection.proxy] {
            for direction in StreamDirection.allCases {
                entry.past.add(connection[direction], direction)
            }
            entry.connections.remove(connection.id)
        }
        connection.close(resets: resets || connection.isReset)
        connections[connection.id] = nil
    }
}
