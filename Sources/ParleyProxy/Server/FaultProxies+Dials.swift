import Dispatch
import Glibc
import ParleyLoop

extension FaultProxies {
    /// Takes a client whose connection the kernel has accepted.
    func accept(_ client: Descriptor, from storage: sockaddr_storage, for name: String) {
        guard let entry = entries[name], entry.isEnabled else { return }
        ProxySocket.tune(client)
        entry.accepted += 1
        lastID += 1
        let now = Self.now()
        let connection = ProxiedConnection(
            id: lastID,
            number: entry.accepted,
            proxy: name,
            client: client,
            from: ProxyAddress(storage),
            at: now
        )
        let bytes = connection.clientAddress.bytes
        if let refusal = entry.early(.refuse, connection: entry.accepted, from: bytes) {
            note([refusal.early(.reset)], of: connection, .upstream, now)
            return ProxySocket.resetOnClose(client)
        }
        connections[lastID] = connection
        entry.connections.insert(lastID)
        guard let slow = entry.early(.slowAccept, connection: entry.accepted, from: bytes) else {
            return dial(connection)
        }
        let due = now.after(milliseconds: max(0, slow.integer("delay")))
        let delay = due.nanoseconds - now.nanoseconds
        note([slow.early(.delayed(delay))], of: connection, .upstream, now)
        wake(.accept(lastID), at: due, now: now)
    }

    /// Connects to the server, beside everything else.
    func dial(_ connection: ProxiedConnection) {
        guard let entry = entries[connection.proxy] else { return end(connection) }
        guard let text = try? AddressText(entry.upstream) else { return end(connection) }
        let id = connection.id
        if text.isNumeric {
            found((try? text.resolved()) ?? [], for: id)
        } else {
            let queue = executor.queue
            resolver.async { [weak self] in
                let addresses = (try? text.resolved()) ?? []
                queue.async { [weak self] in
                    self?.assumeIsolated { $0.found(addresses, for: id) }
                }
            }
        }
    }

    private func found(_ addresses: [ProxyAddress], for id: UInt64) {
        guard let connection = connections[id] else { return }
        connection.candidates = addresses
        tryNext(connection)
    }

    private func tryNext(_ connection: ProxiedConnection) {
        connection.dial?.watch.cancel()
        connection.dial = nil
        let id = connection.id
        while !connection.candidates.isEmpty {
            let address = connection.candidates.removeFirst()
            guard let socket = try? ProxySocket.connect(to: address) else { continue }
            let watch = WriteSource(socket, on: executor) { [weak self] in
                self?.assumeIsolated { $0.dialled(id) }
            }
            connection.dial = (socket, watch)
            watch.arm()
            return
        }
        end(connection)
    }

    private func dialled(_ id: UInt64) {
        guard let connection = connections[id], let (socket, watch) = connection.dial else {
            return
        }
        guard ProxySocket.isConnected(socket) else { return tryNext(connection) }
        watch.cancel()
        connection.dial = nil
        begin(connection, to: socket)
    }
}

extension Toxic {
    /// What the toxic did before the first byte.
    fileprivate func early(_ act: ChainFault.Act) -> ChainFault {
        ChainFault(toxic: name, offset: 0, act: act)
    }
}
