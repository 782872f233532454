import ParleyLoop

/// The changes of proxies and toxics, each of which is whole when its call returns.
extension FaultProxies {
    /// Makes a proxy and starts it if it is to be enabled.
    func create(_ wanted: ProxyDraft, at address: ProxyAddress?) throws(ControlProblem)
        -> ProxyEntry
    {
        guard entries[wanted.name] == nil else { throw .proxyExists }
        let entry = ProxyEntry(
            name: wanted.name,
            listen: wanted.listen,
            upstream: wanted.upstream,
            seed: wanted.seed ?? seed
        )
        for toxic in wanted.toxics { entry.add(toxic) }
        if wanted.isEnabled { try start(entry, at: address) }
        entries[wanted.name] = entry
        return entry
    }

    /// Opens the listener of a proxy.
    func start(_ entry: ProxyEntry, at address: ProxyAddress?) throws(ControlProblem) {
        guard !entry.isEnabled else { return }
        try open(entry, at: address)
        entry.isEnabled = true
    }

    private func open(_ entry: ProxyEntry, at address: ProxyAddress?) throws(ControlProblem) {
        guard entry.loop == nil, let address else { return }
        do throws(AddressFault) {
            let listener = try ProxySocket.listen(on: address)
            entry.listen = ProxySocket.localAddress(listener).text
            guard !entry.refusesAll else { return }
            let name = entry.name
            let loop = AcceptLoop(
                listener,
                on: executor,
                taken: { [weak self] client, address in
                    self?.assumeIsolated { $0.accept(client, from: address, for: name) }
                },
                paused: { _ in }
            )
            loop.assumeIsolated { $0.start() }
            entry.loop = loop
        } catch {
            throw ControlProblem(500, "listen tcp \(address.text): \(error.words)")
        }
    }

    /// Closes the listener and all connections of a proxy.
    func stop(_ entry: ProxyEntry) {
        entry.isEnabled = false
        closeListener(entry)
        cut(entry)
    }

    private func closeListener(_ entry: ProxyEntry) {
        entry.loop?.assumeIsolated { $0.stop() }
        entry.loop = nil
    }

    /// Closes all connections of a proxy, which goes on.
    func cut(_ entry: ProxyEntry) {
        for id in entry.connections { connections[id].map { end($0) } }
    }

    func delete(_ entry: ProxyEntry) {
        stop(entry)
        entries[entry.name] = nil
    }

    // MARK: Toxics

    func add(_ toxic: Toxic, to entry: ProxyEntry) throws(ControlProblem) {
        guard entry.toxic(toxic.name) == nil else { throw .toxicExists }
        entry.add(toxic)
        let now = Self.now()
        forEachStream(of: entry, toxic, now) { flow in
            flow.chain.add(toxic, at: now)
        }
        judgeListener(entry)
    }

    func change(to toxic: Toxic, in entry: ProxyEntry) {
        entry.replace(toxic)
        let now = Self.now()
        forEachStream(of: entry, toxic, now) { flow in
            flow.take(flow.chain.change(to: toxic, at: now))
        }
        judgeListener(entry)
    }

    func remove(_ toxic: Toxic, from entry: ProxyEntry) {
        entry.remove(toxic.name)
        let now = Self.now()
        forEachStream(of: entry, toxic, now) { flow in
            flow.take(flow.chain.remove(toxic.name, at: now))
        }
        judgeListener(entry)
    }

    /// Changes the streams that a toxic is in; what has room again is read.
    private func forEachStream(
        of entry: ProxyEntry,
        _ toxic: Toxic,
        _ now: ProxyTime,
        _ change: (StreamFlow) -> Void
    ) {
        for id in entry.connections.sorted() {
            guard let connection = connections[id],
                toxic.concerns(connection.clientAddress.bytes)
            else { continue }
            for direction in toxic.directions {
                guard let flow = connection[direction] else { continue }
                change(flow)
                if !flow.source.reads { flow.read(buffer.bytes, at: now) }
            }
            afterwards(connection, now)
        }
    }

    /// Has a proxy listen unless a toxic refuses all connections.
    private func judgeListener(_ entry: ProxyEntry) {
        guard entry.isEnabled else { return }
        if entry.refusesAll {
            closeListener(entry)
        } else if entry.loop == nil {
            // The port was free when the toxic took it; if it is not any more, the proxy is off.
            let address = try? AddressText(entry.listen).resolved().first
            do { try open(entry, at: address) } catch { stop(entry) }
        }
    }
}
