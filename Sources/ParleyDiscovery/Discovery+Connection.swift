import CAvahi
import Dispatch
import ParleyLoop

/// The connection to avahi-daemon.
extension Discovery {
    /// Does what the machine of the connection decided.
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
        // Retained while the client exists, since its callbacks point here; `disconnect` releases.
        let here = Unmanaged.passRetained(self)
        let pointer = avahi_client_new(
            adapter.api,
            AVAHI_CLIENT_NO_FAIL,
            { client, state, userdata in
                // The pointer, since the first report comes before `avahi_client_new` returns.
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
            tell(.warning(.unavailable(cause: cause)))
        }
    }

    /// Frees the client, and with it the group, the browser and the resolvers.
    ///
    /// Never called from a callback of libavahi.
    private func disconnect() {
        browseAgainAt = nil
        resolving.removeAll()
        found = [:]
        sightings = [:]
        guard let connection else { return }
        self.connection = nil
        guard let pointer = connection.client else { return }
        avahi_client_free(pointer)
        Unmanaged.passUnretained(self).release()
        withExtendedLifetime(connection.adapter) {}
    }

    /// Notes a report and handles it later: the client can only be freed outside of its callbacks.
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
            tell(.warning(.unavailable(cause: Self.text(of: code))))
        }
        settle()
    }

    /// Whether this error of a call means that the connection is of no use and is made anew.
    ///
    /// So it is when the daemon hangs and libdbus gives up after 25 s.
    func isConnectionLost(_ code: Int32) -> Bool {
        guard let serial = connection?.serial,
            [AVAHI_ERR_DBUS_ERROR, AVAHI_ERR_DISCONNECTED, AVAHI_ERR_NO_DAEMON].contains(Int(code))
        else { return false }
        executor.queue.async { [weak self] in
            self?.assumeIsolated { $0.handle(.failure, code: code, serial: serial) }
        }
        return true
    }

    /// Enters the actor from a callback of libavahi, which runs on our queue.
    static func enter(
        _ userdata: UnsafeMutableRawPointer?,
        _ body: (isolated Discovery) -> Void
    ) {
        guard let userdata else { return }
        // Retained by the connection that calls back.
        Unmanaged<Discovery>.fromOpaque(userdata).takeUnretainedValue().assumeIsolated(body)
    }

    /// What the connection failed with last.
    var lastCode: Int32 { connection?.client.map { avahi_client_errno($0) } ?? 0 }

    /// Avahi's words for one of its codes.
    static func text(of code: Int32) -> String {
        avahi_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
