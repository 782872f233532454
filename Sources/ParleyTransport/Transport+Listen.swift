import Glibc
import ParleyLoop

extension Transport {
    /// Listens on each of `addresses`; port 0 is replaced by one free port for all of them.
    ///
    /// An address family that this machine does not have is left out, unless no other is left.
    ///
    /// - Returns: The addresses of the listeners, with their actual ports.
    /// - Throws: `portInUse`, `addressNotHere`, `portNotPermitted` or `system`; in that case there
    ///   is no listener on any of `addresses`.
    package nonisolated func listen(
        on addresses: [SocketAddress]
    ) throws(TransportError) -> [SocketAddress] {
        let result: Result<[SocketAddress], TransportError> = assumeIsolated { transport in
            do throws(TransportError) {
                let made = try transport.makeListeners(addresses)
                transport.listeners += made
                return .success(made.map(\.address))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Closes all listeners; connections stay.
    package nonisolated func stopListening() {
        assumeIsolated { $0.closeListeners() }
    }

    func closeListeners() {
        for listener in listeners { listener.loop.assumeIsolated { $0.stop() } }
        listeners = []
    }

    private func makeListeners(
        _ addresses: [SocketAddress]
    ) throws(TransportError) -> [Listener] {
        let choosesPort = addresses.contains { $0.port == 0 }
        var attempts = choosesPort ? 16 : 1
        while true {
            attempts -= 1
            do throws(TransportError) {
                return try makeListenersOnce(addresses)
            } catch {
                // The port that was free for one family may be taken in the other.
                guard attempts > 0, case .portInUse = error else { throw error }
            }
        }
    }

    private func makeListenersOnce(
        _ addresses: [SocketAddress]
    ) throws(TransportError) -> [Listener] {
        var made: [Listener] = []
        var chosen: UInt16 = 0
        var missing: TransportError?
        for address in addresses {
            let wanted = address.port == 0 ? address.with(port: chosen) : address
            do throws(TransportError) {
                let listener = try makeListener(wanted)
                made.append(listener)
                if address.port == 0 { chosen = listener.address.port }
            } catch {
                guard Self.isMissingFamily(error, wanted) else { throw error }
                missing = error
            }
        }
        if made.isEmpty, let missing { throw missing }
        return made
    }

    /// Whether `error` says that this machine lacks the family of `address`.
    ///
    /// IPv6 can be missing in the kernel, or be disabled so that even `::` cannot be bound.
    private static func isMissingFamily(
        _ error: TransportError,
        _ address: SocketAddress
    ) -> Bool {
        switch error {
        case .system("socket", EAFNOSUPPORT): true
        case .addressNotHere: address.ip.isUnspecified
        default: false
        }
    }

    private func makeListener(_ address: SocketAddress) throws(TransportError) -> Listener {
        let limits = owner.settings.accepting
        let descriptor = try Socket.make(for: address, leaving: limits.descriptorsLeft)
        try Socket.listen(descriptor, on: address, backlog: limits.backlog)
        let loop = AcceptLoop(
            descriptor,
            on: executor,
            limits: limits,
            taken: { [weak self] connection, remote in
                self?.assumeIsolated { $0.admit(connection, from: remote) }
            },
            paused: { [weak self] reason in
                let reason = reason.map { Socket.error("accept", $0) }
                self?.assumeIsolated { $0.observer?.listenerPaused(reason) }
            }
        )
        loop.assumeIsolated { $0.start() }
        return Listener(loop: loop, address: Socket.localAddress(descriptor) ?? address)
    }

    private func admit(_ descriptor: Descriptor, from address: sockaddr_storage) {
        owner.counters.accepted += 1
        let id = ConnectionID(number: nextNumber())
        guard let remote = Socket.remoteAddress(address, of: descriptor), let observer,
            observer.connectionArrived(id, from: remote)
        else {
            owner.counters.turnedAway += 1
            return
        }
        adopt(descriptor, as: id, to: remote, dial: nil)
    }
}
