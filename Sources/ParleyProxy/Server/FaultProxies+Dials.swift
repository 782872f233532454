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
        let text: AddressText
        do throws(AddressFault) {
            text = try AddressText(entry.upstream)
        } catch {
            return giveUp(connection, error.words)
        }
        let id = connection.id
        if text.isNumeric {
            found(Result { () throws(AddressFault) in try text.resolved() }, for: id)
        } else {
            let queue = executor.queue
            resolver.async { [weak self] in
                let addresses = Result { () throws(AddressFault) in try text.resolved() }
                queue.async { [weak self] in
                    self?.assumeIsolated { $0.found(addresses, for: id) }
                }
            }
        }
    }

    private func found(_ addresses: Result<[ProxyAddress], AddressFault>, for id: UInt64) {
        guard let connection = connections[id] else { return }
        switch addresses {
        case .success(let addresses):
            connection.candidates = addresses
            tryNext(connection, "no address")
        case .failure(let fault): giveUp(connection, fault.words)
        }
    }

    /// Ends a connection whose server cannot be reached, and says so if that is new.
    private func giveUp(_ connection: ProxiedConnection, _ reason: String) {
        if let entry = entries[connection.proxy], !entry.isUnreachable {
            entry.isUnreachable = true
            unreachable(entry.name, "\(entry.upstream): \(reason)")
        }
        end(connection)
    }

    private func tryNext(_ connection: ProxiedConnection, _ reason: String) {
        var reason = reason
        connection.dial?.watch.cancel()
        connection.dial = nil
        let id = connection.id
        while !connection.candidates.isEmpty {
            let address = connection.candidates.removeFirst()
            let socket: Descriptor
            do throws(AddressFault) {
                socket = try ProxySocket.connect(to: address)
            } catch {
                reason = error.words
                continue
            }
            let watch = WriteSource(socket, on: executor) { [weak self] in
                self?.assumeIsolated { $0.dialled(id) }
            }
            connection.dial = (socket, watch)
            watch.arm()
            return
        }
        giveUp(connection, reason)
    }

    private func dialled(_ id: UInt64) {
        guard let connection = connections[id], let (socket, watch) = connection.dial else {
            return
        }
        if let reason = ProxySocket.failure(of: socket) { return tryNext(connection, reason) }
        entries[connection.proxy]?.isUnreachable = false
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
