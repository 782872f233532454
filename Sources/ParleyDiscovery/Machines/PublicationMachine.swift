/// The states of the own service, without I/O: which name is registered when.
///
/// Legal transitions:
/// - `idle -> registering -> established`
/// - `registering | established -> waiting`, on a collision (with the next name), a failure, or a
///   changed publication
/// - `waiting -> registering`, when the delay is over
/// - `established -> registering`, on a renewal
/// - any state `-> idle`, when there is no publication or the daemon cannot be used
package struct PublicationMachine: Sendable {
    package enum State: Sendable, Equatable {
        case idle
        case waiting(until: Duration, attempt: Int)
        case registering(attempt: Int)
        case established(attempt: Int)
    }

    package enum Action: Sendable, Equatable {
        case none
        /// Withdraw the registered service.
        case withdraw
        /// Withdraw the registered service and register the publication under `name`.
        case register(Publication, name: String)
    }

    /// A collision: the lost name, and the next name to try, nil if none is left.
    package struct Collision: Sendable, Equatable {
        package let name: String
        package let newName: String?

        package init(name: String, newName: String?) {
            self.name = name
            self.newName = newName
        }
    }

    package private(set) var state = State.idle
    package private(set) var wanted: Publication?
    private var isUsable = false
    private var lastCommit: Duration?
    /// The time of a renewal that was requested too soon after the last registration.
    private var renewAt: Duration?

    package init() {}

    /// The publication has changed; nil means that nothing is announced.
    package mutating func wantedChanged(to publication: Publication?, at now: Duration) -> Action {
        guard publication != wanted else { return .none }
        wanted = publication
        guard publication != nil, isUsable else {
            return goIdle()
        }
        if state == .idle { return register(attempt: 0, at: now) }
        state = .waiting(until: now + DiscoveryLimits.withdrawal, attempt: 0)
        return .withdraw
    }

    /// Services can be registered.
    package mutating func becameUsable(at now: Duration) -> Action {
        isUsable = true
        return wanted == nil ? .none : register(attempt: 0, at: now)
    }

    /// Services cannot be registered, and the registered one was withdrawn or must be.
    package mutating func becameUnusable() -> Action {
        isUsable = false
        return goIdle()
    }

    /// The network changed, so the service is registered and announced again, but not too often.
    package mutating func renewalRequested(at now: Duration) -> Action {
        guard isUsable, wanted != nil else { return .none }
        if let lastCommit, now < lastCommit + DiscoveryLimits.commitSpacing {
            renewAt = lastCommit + DiscoveryLimits.commitSpacing
            return .none
        }
        return register(attempt: 0, at: now)
    }

    /// The daemon has announced the service.
    package mutating func established() {
        guard case .registering(let attempt) = state else { return }
        state = .established(attempt: attempt)
    }

    /// Another service has the name; may be reported long after the name was established.
    package mutating func collided(at now: Duration) -> Collision? {
        guard let name, let attempt else { return nil }
        let next = attempt + 1
        guard next <= DiscoveryLimits.alternativeNames else {
            state = .waiting(until: now + DiscoveryLimits.publishBackoff, attempt: 0)
            return Collision(name: name, newName: nil)
        }
        state = .waiting(until: now + .milliseconds(250 << attempt), attempt: next)
        return Collision(name: name, newName: self.name(of: next))
    }

    /// The service cannot be registered, for another reason than its name.
    package mutating func failed(at now: Duration) {
        guard isUsable, wanted != nil else { return }
        state = .waiting(until: now + DiscoveryLimits.publishBackoff, attempt: 0)
    }

    /// The time at which `woke` must be called, or nil.
    package var wakeAt: Duration? {
        guard case .waiting(let until, _) = state else { return renewAt }
        return renewAt.map { min($0, until) } ?? until
    }

    /// The time `wakeAt` has probably come.
    package mutating func woke(at now: Duration) -> Action {
        if case .waiting(let until, let attempt) = state, now >= until {
            return register(attempt: attempt, at: now)
        }
        guard let renewAt, now >= renewAt else { return .none }
        return register(attempt: 0, at: now)
    }

    /// The announced name, or nil.
    package var establishedName: String? {
        if case .established(let attempt) = state { return name(of: attempt) }
        return nil
    }

    private var attempt: Int? {
        switch state {
        case .registering(let attempt), .established(let attempt): attempt
        case .idle, .waiting: nil
        }
    }

    private var name: String? { attempt.flatMap { name(of: $0) } }

    /// `parley-abcdefgh`, then `parley-abcdefgh-2` and so on.
    private func name(of attempt: Int) -> String? {
        wanted.map { attempt == 0 ? $0.instanceName : "\($0.instanceName)-\(attempt + 1)" }
    }

    private mutating func goIdle() -> Action {
        renewAt = nil
        guard state != .idle else { return .none }
        state = .idle
        return .withdraw
    }

    private mutating func register(attempt: Int, at now: Duration) -> Action {
        guard isUsable, let wanted, let name = name(of: attempt) else {
            state = .idle
            return .none
        }
        state = .registering(attempt: attempt)
        lastCommit = now
        renewAt = nil
        return .register(wanted, name: name)
    }
}
