import CAvahi
import Dispatch
import ParleyLoop

/// The connection to avahi-daemon.
extension Discovery {
    /// Carries out an action of `ClientMachine`.
    func apply(_ action: ClientMachine.Action) {
        switch action {
        case .none: break
        case .connect: connect()
        case .populate:
            apply(publishing.becameUsable(at: now))
            if isBrowsingWanted { startBrowsing() }
        case .suspend:
            apply(publishing.becameUnusable())
        case .discard:
            _ = publishing.becameUnusable()
            disconnect()
        }
    }

    private func connect() {
        disconnect()
        serial += 1
        let adapter = AvahiPollAdapter(queue: executor.queue)
        connection = Connection(adapter: adapter, serial: serial)
        var code: Int32 = 0
        // The client's callbacks hold this pointer, so it is retained until `disconnect`.
        let here = Unmanaged.passRetained(self)
        let pointer = avahi_client_new(
            adapter.api,
            AVAHI_CLIENT_NO_FAIL,
            { client, state, userdata in
                // The first callback runs before `avahi_client_new` returns, so the client comes
                // from the argument.
                let code = client.map { avahi_client_errno($0) } ?? 0
                Discovery.enter(userdata) { $0.clientReported(state, code: code) }
            },
            here.toOpaque(),
            &code
        )
        if let pointer {
            connection?.client = pointer
            return
        }
        here.release()
        connection = nil
        client.connectFailed(at: now)
        if client.takeOutage() {
            let cause = "no D-Bus system bus (\(Self.text(of: code)))"
            emit(.warning(.unavailable(cause: cause)))
        }
    }

    /// Frees the client, and with it the entry group, the browser and the resolvers.
    ///
    /// It must not be called from a callback of libavahi.
    private func disconnect() {
        browseAgainAt = nil
        found.browserEnded()
        resolving.removeAll()
        guard let connection else { return }
        self.connection = nil
        guard let pointer = connection.client else { return }
        avahi_client_free(pointer)
        Unmanaged.passUnretained(self).release()
        withExtendedLifetime(connection.adapter) {}
    }

    /// Handles a report of the client in a later job.
    ///
    /// The report may lead to freeing the client, which callbacks of the client must not do.
    private func clientReported(_ state: AvahiClientState, code: Int32) {
        guard let serial = connection?.serial else { return }
        let report: ClientMachine.Report
        switch state {
        case AVAHI_CLIENT_S_REGISTERING: report = .registering
        case AVAHI_CLIENT_S_RUNNING: report = .running
        case AVAHI_CLIENT_S_COLLISION: report = .collision
        case AVAHI_CLIENT_CONNECTING: report = .connecting
        default: report = .failure
        }
        executor.queue.async { [weak self] in
            self?.assumeIsolated { $0.handle(report, code: code, serial: serial) }
        }
    }

    private func handle(_ report: ClientMachine.Report, code: Int32, serial: UInt64) {
        guard connection?.serial == serial else { return }
        apply(client.reported(report, at: now))
        if report == .failure, client.takeOutage() {
            emit(.warning(.unavailable(cause: Self.text(of: code))))
        }
        settle()
    }

    /// Whether `code` means that the connection is broken; if so, schedules a new connection.
    ///
    /// A daemon that hangs counts as broken: libdbus gives up after 25 s.
    func isConnectionLost(_ code: Int32) -> Bool {
        guard let serial = connection?.serial,
            [AVAHI_ERR_DBUS_ERROR, AVAHI_ERR_DISCONNECTED, AVAHI_ERR_NO_DAEMON].contains(Int(code))
        else { return false }
        executor.queue.async { [weak self] in
            self?.assumeIsolated { $0.handle(.failure, code: code, serial: serial) }
        }
        return true
    }

    /// Enters the actor from a callback of libavahi, which runs on the queue of the executor.
    static func enter(
        _ userdata: UnsafeMutableRawPointer?,
        _ body: (isolated Discovery) -> Void
    ) {
        guard let userdata else { return }
        // The connection of the running callback retains the object.
        Unmanaged<Discovery>.fromOpaque(userdata).takeUnretainedValue().assumeIsolated(body)
    }

    /// The last error code of the connection.
    var lastCode: Int32 { connection?.client.map { avahi_client_errno($0) } ?? 0 }

    /// Avahi's text for an error code.
    static func text(of code: Int32) -> String {
        avahi_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
