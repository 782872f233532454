import CAvahi
package import ParleyLoop
import Dispatch

/// Announces this node and discovers other nodes with Avahi, as long as avahi-daemon is running.
///
/// The actor keeps the desired state: the publication, and whether to browse. From this state the
/// actor creates all objects of avahi-daemon, again after each outage of the daemon or the bus.
/// Links are not affected.
///
/// libavahi-client blocks until the daemon answers, up to 25 s if the daemon hangs, and every
/// caller of the actor waits too. Therefore a node with links gives discovery its own executor and
/// calls it with `perform`.
///
/// The order of calls is `init`, `start`, any other calls, `stop`. A started object stays alive
/// until `stop`.
package actor Discovery {
    /// The executor on which all work is done and the observer is called.
    package nonisolated let executor: QueueExecutor

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The DNS-SD type of a node.
    package static let serviceType = "_parley._tcp"

    let filter: InterfaceFilter
    var client = ClientMachine()
    var publishing = PublicationMachine()
    var resolving = ResolveQueue()
    var refusals = RefusalWindow()
    var isBrowsingWanted = false
    /// Whether the last registration found an interface.
    var hasInterface = true

    /// The connection to avahi-daemon and the objects on it, which are freed together.
    var connection: Connection?
    /// A counter of connections and registrations, by which late reports of old ones are
    /// recognised.
    var serial: UInt64 = 0
    var found = FoundServices()
    var browseAgainAt: Duration?
    var reportedInterfaces: Set<String> = []

    private let observer: (DiscoveryEvent) -> Void
    private var outbox: [DiscoveryEvent] = []
    private var reportedState = DiscoveryState.stopped
    private var isDelivering = false
    private var timer: (any DispatchSourceTimer)?

    /// The C objects of one connection.
    struct Connection {
        let adapter: AvahiPollAdapter
        let serial: UInt64
        var client: OpaquePointer?
        var group: (pointer: OpaquePointer, serial: UInt64)?
        var browser: OpaquePointer?
        /// The resolver of each sighting that has one.
        var resolvers: [ResolveQueue.Key: OpaquePointer] = [:]
        /// The sighting of each resolver; the key is the resolver's pointer as a number.
        var sought: [Int: ResolveQueue.Key] = [:]
        /// The sightings that the avahi-daemon of this machine announces itself.
        var local: Set<ResolveQueue.Key> = []
    }

    /// Makes discovery, which does not use the system before `start`.
    ///
    /// The observer is called on the queue of `executor`, one event at a time, and never from
    /// inside a call of the actor. The observer may call the actor with `assumeIsolated`.
    package init(
        executor: QueueExecutor = QueueExecutor(label: "parley.discovery"),
        filter: InterfaceFilter = .everything,
        observer: sending @escaping (DiscoveryEvent) -> Void
    ) {
        self.executor = executor
        self.filter = filter
        self.observer = observer
    }

    // MARK: Desired state

    /// Connects to avahi-daemon, and reconnects whenever the connection is lost, until `stop`.
    package func start() {
        guard timer == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: executor.queue)
        timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.timerFired() } }
        timer.schedule(deadline: .distantFuture)
        timer.activate()
        self.timer = timer
        apply(client.started())
        settle()
    }

    /// Withdraws the announced service and frees everything.
    ///
    /// No event follows. Discovery can be started again.
    package func stop() {
        apply(client.stopped())
        found.removeAll()
        outbox = []
        reportedState = .stopped
        timer?.cancel()
        timer = nil
    }

    /// Sets the service to announce; nil withdraws it.
    ///
    /// Call this before `setBrowsing`: browsing compares services with the publication, to
    /// recognise a service left by an earlier process.
    package func setPublication(_ publication: Publication?) {
        apply(publishing.wantedChanged(to: publication, at: now))
        settle()
    }

    /// Starts or stops browsing.
    package func setBrowsing(_ isWanted: Bool) {
        guard isWanted != isBrowsingWanted else { return }
        isBrowsingWanted = isWanted
        if isWanted { startBrowsing() } else { stopBrowsing() }
        settle()
    }

    /// Announces the service again, because the network changed and others may have missed it.
    ///
    /// A new browser would not help, because it sends no new query. The service is announced at
    /// most once per `DiscoveryLimits.commitSpacing`; a call that comes too soon takes effect
    /// later.
    package func recommit() {
        apply(publishing.renewalRequested(at: now))
        settle()
    }

    /// Enqueues `body` on the executor's queue; for callers that are not on the queue.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated Discovery) -> Void) {
        executor.queue.async { self.assumeIsolated { body($0) } }
    }

    // MARK: Actual state

    /// The state of discovery.
    package var state: DiscoveryState {
        switch client.state {
        case .stopped: .stopped
        case .connecting, .busAbsent: .waitingForBus
        case .daemonAbsent: .waitingForDaemon
        case .settling: .waitingForHostName
        case .running:
            publishing.establishedName.map { .published(name: $0) }
                ?? (hasInterface ? .running : .noInterface)
        }
    }

    /// All services that were found and not lost, in no particular order.
    package var services: [DiscoveredService] { found.all }

    /// Figures for status, metrics and tests.
    package var figures: DiscoveryFigures {
        DiscoveryFigures(
            watches: connection?.adapter.watchCount ?? 0,
            timers: connection?.adapter.timerCount ?? 0,
            resolvers: resolving.resolvingCount,
            waiting: resolving.waitingCount,
            known: resolving.count,
            found: found.count,
            dropped: resolving.droppedCount,
            refused: refusals.total
        )
    }

    // MARK: Time and delivery

    var now: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds)) }

    func emit(_ event: DiscoveryEvent) {
        guard timer != nil else { return }
        outbox.append(event)
        guard !isDelivering else { return }
        isDelivering = true
        // The event is delivered later, so that no observer runs inside a callback of libavahi.
        executor.queue.async { [weak self] in self?.assumeIsolated { $0.deliver() } }
    }

    func emit(_ events: [DiscoveryEvent]) { for event in events { emit(event) } }

    /// Reports changes of the state and arms the timer; must be called at the end of every input.
    func settle() {
        if case .daemonAbsent = client.state, client.takeOutage() {
            emit(.warning(.unavailable(cause: "no avahi-daemon on the D-Bus system bus")))
        }
        if let dropped = resolving.takeDropped() {
            emit(.warning(.servicesDropped(count: dropped)))
        }
        // Connecting takes no noticeable time, so that state is not reported.
        if state != reportedState, client.state != .connecting {
            reportedState = state
            emit(.stateChanged(state))
        }
        let wakes = [
            client.wakeAt, publishing.wakeAt, resolving.wakeAt, refusals.wakeAt, found.wakeAt,
            browseAgainAt,
        ]
        guard let next = wakes.compactMap(\.self).min() else {
            timer?.schedule(deadline: .distantFuture)
            return
        }
        timer?.schedule(deadline: .now() + .nanoseconds((next - now).nanoseconds))
    }

    private func deliver() {
        isDelivering = false
        let events = outbox
        outbox = []
        for event in events {
            // The observer may have stopped discovery.
            guard timer != nil else { return }
            observer(event)
        }
    }

    private func timerFired() {
        guard timer != nil else { return }
        let now = now
        apply(client.woke(at: now))
        apply(publishing.woke(at: now))
        resolving.woke(at: now)
        let unsaid = refusals.close(at: now)
        if unsaid > 0 { emit(.warning(.refusalsCounted(count: unsaid))) }
        if let again = browseAgainAt, now >= again { startBrowsing() }
        emit(found.woke(at: now))
        startResolvers()
        settle()
    }
}

/// Figures of discovery for status, metrics and tests.
package struct DiscoveryFigures: Equatable, Sendable {
    /// Descriptors that libavahi watches.
    package let watches: Int
    /// Timers that libavahi uses.
    package let timers: Int
    /// Resolvers that are running.
    package let resolvers: Int
    /// Sightings that wait for a resolver.
    package let waiting: Int
    /// Known sightings, resolved or not.
    package let known: Int
    /// Resolved sightings.
    package let found: Int
    /// Sightings that were dropped because of the limit, since the start.
    package let dropped: Int
    /// Announcements that were refused, since the start.
    package let refused: Int
}

extension Duration {
    /// The duration in whole nanoseconds, at least 0 and at most 292 years.
    fileprivate var nanoseconds: Int {
        let parts = components
        let (whole, overflow) = Int(parts.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? Int.max / 2 : max(0, whole + Int(parts.attoseconds / 1_000_000_000))
    }
}
