import Dispatch
import ParleyLoop

extension Transport {
    /// Dials a device at `endpoints`, the likeliest first; names are resolved.
    ///
    /// The observer then receives `connectionOpened` or `dialFailed`.
    package nonisolated func dial(
        _ endpoints: [Endpoint],
        offering offered: TransportProtocol = .link
    ) -> TransportDialID {
        assumeIsolated { $0.makeDial(endpoints, offering: offered) }
    }

    // MARK: Results of attempts

    /// Ends a dial whose first attempt has opened: aborts its other attempts.
    ///
    /// - Returns: false, and aborts the connection, if the dial has ended already.
    func attemptOpened(_ connection: Connection, of id: TransportDialID) -> Bool {
        guard let dial = dials.removeValue(forKey: id) else {
            connections.removeValue(forKey: connection.id)?.abort()
            return false
        }
        for attempt in dial.running where attempt != connection.id { abort(attempt) }
        return true
    }

    /// An attempt has failed.
    func attemptFailed(_ id: TransportDialID, _ connection: Connection, _ reason: TransportError) {
        guard dials[id] != nil else { return }
        dials[id]?.running.removeAll { $0 == connection.id }
        dials[id]?.failures.append(
            DialFailure(endpoint: .address(connection.remote), reason: reason)
        )
        startNext(id)
    }

    // MARK: Steps

    private func makeDial(
        _ endpoints: [Endpoint],
        offering offered: TransportProtocol
    ) -> TransportDialID {
        let id = TransportDialID(number: nextNumber())
        var dial = DialAttempts(
            offered: offered,
            stagger: LoopTimer(on: executor) { [weak self] in
                self?.assumeIsolated { $0.startNext(id) }
            },
            resolveDeadline: LoopTimer(on: executor) { [weak self] in
                self?.assumeIsolated { $0.resolverIsLate(id) }
            }
        )
        for endpoint in endpoints {
            switch endpoint {
            case .address(let address): dial.add([address], limit: owner.settings.dialAddresses)
            case .name: dial.names.insert(endpoint)
            }
        }
        let names = dial.names
        if !names.isEmpty { dial.resolveDeadline.arm(after: owner.settings.resolveTimeout) }
        dials[id] = dial
        for name in names { lookUp(name, for: id) }
        // An attempt can fail at once, and this call must not call the observer, so the first
        // attempt starts in a later iteration.
        dial.stagger.arm(after: .zero)
        return id
    }

    /// Starts the next attempt of a dial, or reports the failure of the dial if nothing is left to
    /// try.
    private func startNext(_ id: TransportDialID) {
        while let dial = dials[id], let address = dial.waiting.first {
            dials[id]?.waiting.removeFirst()
            guard let attempt = startAttempt(address, for: id, offering: dial.offered) else { continue }
            dials[id]?.running.append(attempt)
            if dial.waiting.count > 1 { dial.stagger.arm(after: owner.settings.dialStagger) }
            return
        }
        guard let dial = dials[id], dial.isHopeless else { return }
        dials[id] = nil
        observer?.dialFailed(id, dial.failures)
    }

    private func startAttempt(
        _ address: SocketAddress,
        for dial: TransportDialID,
        offering offered: TransportProtocol
    ) -> ConnectionID? {
        do throws(TransportError) {
            let descriptor = try Socket.make(
                for: address,
                leaving: owner.settings.accepting.descriptorsLeft
            )
            // The result does not matter: in both cases the connected socket becomes writable.
            _ = try Socket.connect(descriptor, to: address)
            let id = ConnectionID(number: nextNumber())
            adopt(descriptor, as: id, to: address, dial: dial, offering: offered)
            return id
        } catch {
            dials[dial]?.failures.append(
                DialFailure(endpoint: .address(address), reason: error)
            )
            return nil
        }
    }

    private func lookUp(_ name: Endpoint, for dial: TransportDialID) {
        guard case .name(let host, let port) = name else { return }
        // The resolver may block for long, so each name is looked up once at a time.
        lookups[name, default: []].append(dial)
        guard lookups[name]?.count == 1 else { return }
        let queue = executor.queue
        resolver.resolve(host, port: port) { [weak self] result in
            queue.async { [weak self] in
                self?.assumeIsolated { $0.lookedUp(name, result) }
            }
        }
    }

    private func lookedUp(
        _ name: Endpoint,
        _ result: Result<[SocketAddress], TransportError>
    ) {
        for id in lookups.removeValue(forKey: name) ?? [] where dials[id]?.names.remove(name) != nil
        {
            switch result {
            case .success(let addresses):
                dials[id]?.add(addresses, limit: owner.settings.dialAddresses)
            case .failure(let reason):
                dials[id]?.failures.append(DialFailure(endpoint: name, reason: reason))
            }
            guard let dial = dials[id] else { continue }
            if dial.running.isEmpty {
                startNext(id)
            } else if !dial.waiting.isEmpty {
                dial.stagger.arm(after: owner.settings.dialStagger)
            }
        }
    }

    private func resolverIsLate(_ id: TransportDialID) {
        guard let dial = dials[id] else { return }
        for name in dial.names.sorted(by: { $0.description < $1.description }) {
            guard case .name(let host, _) = name else { continue }
            let reason = TransportError.nameNotFound(host, "no answer in time")
            dials[id]?.failures.append(DialFailure(endpoint: name, reason: reason))
        }
        dials[id]?.names = []
        if dial.running.isEmpty { startNext(id) }
    }
}
