/// The states of the connection to avahi-daemon, without I/O.
///
/// Legal transitions:
/// - `stopped -> connecting`, then `-> busAbsent -> connecting` until there is a bus
/// - `connecting -> daemonAbsent -> settling -> running`; states that the daemon has already passed
///   are skipped
/// - `running <-> settling`, when the daemon has to choose another host name
/// - any of these `-> busAbsent`, on a failure: the connection is discarded and a new one is made
/// - any state `-> stopped`
package struct ClientMachine: Sendable {
    package enum State: Sendable, Equatable {
        case stopped
        /// There is no connection; the next attempt is due at `retryAt`.
        case busAbsent(retryAt: Duration)
        /// A connection is being made and has not reported anything yet.
        case connecting
        /// There is a connection to the bus, but the daemon is not running.
        case daemonAbsent
        /// The daemon is claiming its host name; services must not be registered.
        case settling
        case running
    }

    /// A change of the connection that the daemon or libavahi reported.
    package enum Report: Sendable, Equatable {
        case connecting
        case registering
        case collision
        case running
        case failure
    }

    package enum Action: Sendable, Equatable {
        case none
        /// Make a connection, and then call `connectFailed` or `reported`.
        case connect
        /// Create the objects of the desired state.
        case populate
        /// Withdraw the service until the next `populate`.
        case suspend
        /// Free the connection and all objects on it.
        case discard
    }

    package private(set) var state = State.stopped
    /// Whether the current or next outage has not been reported yet.
    private var isOutageUnreported = true
    private var delay = Self.delayMin
    private var runningSince: Duration?

    package static let delayMin: Duration = .milliseconds(100)
    package static let delayMax: Duration = .seconds(1)
    /// How long the daemon must have run before an outage counts as over.
    package static let proof: Duration = .seconds(10)

    package init() {}

    /// Discovery was started.
    package mutating func started() -> Action {
        guard state == .stopped else { return .none }
        state = .connecting
        return .connect
    }

    /// Discovery was stopped.
    package mutating func stopped() -> Action {
        guard state != .stopped else { return .none }
        self = ClientMachine()
        return .discard
    }

    /// No connection could be made.
    package mutating func connectFailed(at now: Duration) {
        guard state != .stopped else { return }
        wait(from: now)
    }

    /// The daemon or the library reported a change.
    package mutating func reported(_ report: Report, at now: Duration) -> Action {
        switch (state, report) {
        case (.stopped, _), (.busAbsent, _):
            return .none
        case (_, .failure):
            wait(from: now)
            return .discard
        case (_, .connecting):
            state = .daemonAbsent
            return .none
        case (_, .registering), (_, .collision):
            let wasRunning = state == .running
            state = .settling
            return wasRunning ? .suspend : .none
        case (_, .running):
            guard state != .running else { return .none }
            state = .running
            runningSince = runningSince ?? now
            return .populate
        }
    }

    /// The time at which `woke` must be called, or nil.
    package var wakeAt: Duration? {
        if case .busAbsent(let retryAt) = state { return retryAt }
        return nil
    }

    /// The time `wakeAt` has probably come.
    package mutating func woke(at now: Duration) -> Action {
        guard case .busAbsent(let retryAt) = state, now >= retryAt else { return .none }
        state = .connecting
        return .connect
    }

    /// Whether to warn of an outage; returns true once per outage.
    package mutating func takeOutage() -> Bool {
        switch state {
        case .busAbsent, .daemonAbsent:
            defer { isOutageUnreported = false }
            return isOutageUnreported
        case .stopped, .connecting, .settling, .running:
            return false
        }
    }

    private mutating func wait(from now: Duration) {
        if let runningSince, now >= runningSince + Self.proof {
            isOutageUnreported = true
            delay = Self.delayMin
        }
        runningSince = nil
        state = .busAbsent(retryAt: now + delay)
        delay = min(delay * 2, Self.delayMax)
    }
}
