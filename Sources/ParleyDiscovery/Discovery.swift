import CAvahi
package import ParleyLoop
import Dispatch

/// Announces this node and finds others with Avahi, as long as avahi-daemon lets it.
///
/// What is wanted is state here: what to announce, whether to browse. Everything that avahi-daemon
/// holds for us is made from it, and made again whenever the daemon or the bus was away. Links are
/// no business of it: what was found stays found.
///
/// libavahi-client waits for answers of the daemon, up to 25 s if the daemon hangs, and so does
/// whoever waits for a call of this actor then. A node that serves links therefore gives discovery
/// an executor of its own, and calls it with `perform`.
///
/// The caller keeps to the order `init`, `start`, anything, `stop`; a started one stays alive until
/// it is stopped.
package actor Discovery {
    /// Where all work is done and where the observer is called.
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

    /// The connection to avahi-daemon and what hangs on it; freed together.
    var connection: Connection?
    /// Counts connections and registrations, so that late reports of old ones are known.
    var serial: UInt64 = 0
    var found: [ResolveQueue.Key: DiscoveredService] = [:]
    var sightings: [String: Int] = [:]
    var browseAgainAt: Duration?
    var reportedInterfaces: Set<String> = []
    var toldDropped = 0

    private let observer: (DiscoveryEvent) -> Void
    private var outbox: [DiscoveryEvent] = []
    private var toldState = DiscoveryState.stopped
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
        /// The same the other way, by the resolver's pointer as a number.
        var sought: [Int: ResolveQueue.Key] = [:]
        /// The sightings that avahi-daemon of this machine announces itself.
        var local: Set<ResolveQueue.Key> = []
    }

    /// Prepares discovery; nothing is asked of the system before `start`.
    ///
    /// The observer is called on the queue of `executor`, one event at a time, never from within a
    /// call of this actor; it may call the actor, by `assumeIsolated`.
    package init(
        executor: QueueExecutor = QueueExecutor(label: "parley.discovery"),
        filter: InterfaceFilter = .everything,
        observer: sending @escaping (DiscoveryEvent) -> Void
    ) {
        self.executor = executor
        self.filter = filter
        self.observer = observer
    }

    // MARK: What is wanted

    /// Looks for avahi-daemon and goes on doing so until `stop`.
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

    /// Withdraws what is announced and frees everything.
    ///
    /// No event follows. It can start again.
    package func stop() {
        apply(client.stopped())
        outbox = []
        toldState = .stopped
        timer?.cancel()
        timer = nil
    }

    /// Announces this from here on, instead of what was announced; nil withdraws it.
    ///
    /// Called before `setBrowsing`: what an earlier run of ours left at the daemon is known for
    /// our own by comparing it with this.
    package func setPublication(_ publication: Publication?) {
        apply(publishing.wantedChanged(to: publication, at: now))
        settle()
    }

    /// Browses, or stops doing so.
    package func setBrowsing(_ isWanted: Bool) {
        guard isWanted != isBrowsingWanted else { return }
        isBrowsingWanted = isWanted
        if isWanted { startBrowsing() } else { stopBrowsing() }
        settle()
    }

    /// Announces our service again, because the network changed.
    ///
    /// Others may have missed it, and closing and opening a browser asks nobody. Done at most once
    /// per `DiscoveryLimits.commitSpacing`; a call that comes too soon is done later.
    package func recommit() {
        apply(publishing.renewalRequested(at: now))
        settle()
    }

    /// Resolves these instance names before all others: those of devices that the node knows.
    package func prefer(_ instanceNames: Set<String>) {
        resolving.prefer(instanceNames)
    }

    /// Runs `body` on the queue, after everything that is there; for callers that are not on it.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated Discovery) -> Void) {
        executor.queue.async { self.assumeIsolated { body($0) } }
    }

    // MARK: What is

    /// How far discovery has come.
    package var state: DiscoveryState {
        switch client.state {
        case .stopped: .stopped
        case .connecting, .busAbsent: .waitingForBus
        case .daemonAbsent: .waitingForDaemon
        case .settling: .waitingForHostName
        case .running: publishing.establishedName.map { .published(name: $0) } ?? .running
        }
    }

    /// Everything found and not lost, in no particular order.
    package var services: [DiscoveredService] { Array(found.values) }

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

    func tell(_ event: DiscoveryEvent) {
        guard timer != nil else { return }
        outbox.append(event)
        guard !isDelivering else { return }
        isDelivering = true
        // Later, so that no observer runs inside a callback of libavahi.
        executor.queue.async { [weak self] in self?.assumeIsolated { $0.deliver() } }
    }

    /// To be called at the end of every input: says what changed and sets the timer.
    func settle() {
        if case .daemonAbsent = client.state, client.takeOutage() {
            tell(.warning(.unavailable(cause: "no avahi-daemon on the D-Bus system bus")))
        }
        let dropped = resolving.droppedCount
        if dropped > 0, dropped >= 2 * toldDropped {
            toldDropped = dropped
            tell(.warning(.servicesDropped(count: dropped)))
        }
        // Making a connection takes no time, so it is not worth a word.
        if state != toldState, client.state != .connecting {
            toldState = state
            tell(.stateChanged(state))
        }
        let wakes = [
            client.wakeAt, publishing.wakeAt, resolving.wakeAt, refusals.wakeAt, browseAgainAt,
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
            // The observer may have stopped us.
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
        if unsaid > 0 { tell(.warning(.refusalsCounted(count: unsaid))) }
        if let again = browseAgainAt, now >= again { startBrowsing() }
        startResolvers()
        settle()
    }
}

/// Figures of discovery for status, metrics and tests.
package struct DiscoveryFigures: Equatable, Sendable {
    /// Descriptors that libavahi watches.
    package let watches: Int
    /// Timers that libavahi has.
    package let timers: Int
    /// Resolvers at work.
    package let resolvers: Int
    /// Sightings that wait for a resolver.
    package let waiting: Int
    /// Sightings known, resolved or not.
    package let known: Int
    /// Sightings with an address.
    package let found: Int
    /// Sightings dropped for want of room, since the start.
    package let dropped: Int
    /// Announcements refused, since the start.
    package let refused: Int
}

extension Duration {
    /// In whole nanoseconds, at least 0, at most 292 years.
    fileprivate var nanoseconds: Int {
        let parts = components
        let (whole, overflow) = Int(parts.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? Int.max / 2 : max(0, whole + Int(parts.attoseconds / 1_000_000_000))
    }
}
