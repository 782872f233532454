import Dispatch
import Foundation
import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyStore
import ParleyTransport

/// The shell around the node machine: feeds it inputs and carries out its effects.
///
/// Everything here runs on one serial queue. The machine prescribes the order of effects: persist,
/// ask for receipts, send, drain, count work, deliver, close, read, dial, arm the timer.
actor NodeShell {
    nonisolated let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    let settings: NodeSettings
    let key: DeviceKey
    let deviceName: String
    /// Nil if the key is that of the last start.
    let deviceChange: DeviceChange?
    var machine: NodeMachine
    var news: NodeNews

    let directory: DataDirectory
    let storage: any NodeStore
    var store: CommitQueue?
    var transport: Transport?
    var discovery: NodeDiscovery
    private var watches: ChangeWatches?
    private var timer: MachineTimer?
    private var gathered = GatheredInputs()

    var listening: [SocketAddress] = []
    var links: ConnectionTable
    var requests = RequestTable()
    var deviceLists: DeviceLists
    let deviceListWriter: DeviceListWriter
    nonisolated let files: FileService
    let person: OwnPerson
    var nextConversationNumber: UInt32 = 1
    var commits = PendingCommits()
    private var stopping = Stopping.notYet
    var isStopping: Bool { stopping.hasBegun }

    init(
        _ settings: NodeSettings,
        executor: QueueExecutor,
        opened: OpenedDirectory
    ) {
        self.settings = settings
        self.executor = executor
        key = opened.key
        deviceName = opened.name.text
        deviceChange = opened.change
        directory = opened.directory
        storage = opened.storage
        news = NodeNews(device: opened.key.id, log: settings.log)
        links = ConnectionTable(limits: settings.limits)
        discovery = NodeDiscovery(
            interfaces: settings.interfaces,
            device: opened.key.id,
            name: opened.name.text
        )
        files = FileService(
            on: executor,
            path: opened.directory.file("files"),
            limits: settings.fileLimits
        )
        deviceLists = opened.lists
        person = OwnPerson(opened.personFile, opened.person, opened.linked)
        deviceListWriter = DeviceListWriter(opened.listFile)
        nextConversationNumber = opened.recovery.nextConversationNumber
        var configuration = ParleyCore.NodeConfiguration(
            deviceName: deviceName,
            software: NodeVersion.software,
            limits: settings.limits
        )
        configuration.gate = opened.lists.gate
        configuration.person = opened.person?.secret.shown(by: key.id)
        configuration.mayDial = { SocketAddress.mayDial($0, toldFrom: $1) }
        machine = NodeMachine(
            configuration: configuration,
            crypto: DeviceCryptography(opened.key),
            random: SystemRandomNumberGenerator(),
            recovery: opened.recovery
        )
        news.damaged(opened.damage)
        news.log.named(opened.name)
        news.log.listed(opened.lists.devices)
        if let deviceChange { news.log.changed(deviceChange) }
    }

    // MARK: Starting and stopping

    /// Recovers the store, listens, and starts the machine, the watches and discovery.
    ///
    /// - Throws: an error of the store or of listening.
    func start() throws(NodeError) {
        store = CommitQueue(
            store: storage,
            hop: { [executor] work in executor.queue.async(execute: work) },
            report: here { shell, report in shell.reported(report) }
        )
        let fired = here { (shell: isolated NodeShell, _: Void) in
            shell.timer?.fired()
            shell.feed(.timer)
        }
        timer = MachineTimer(on: executor) { fired(()) }
        try recoverSessions()
        try openTransport()
        carryOut(machine.start(at: Self.now))
        addPeers(settings.peers)
        startWatches()
        if settings.usesDiscovery { startDiscovery() }
    }

    /// Closes every link, then the store; returns, on every call, once the data directory is free.
    func stop() async {
        if stopping.begin() { beginStop() }
        await withCheckedContinuation { stopped in
            if !stopping.wait({ stopped.resume() }) { stopped.resume() }
        }
    }

    private func beginStop() {
        discovery.stop()
        watches?.stop()
        transport?.stopListening()
        feed(.stopping)
        timer?.cancel()
        requests.failAll()
        news.listeners.finish()
        executor.queue.asyncAfter(deadline: .now() + .milliseconds(200)) {
            self.assumeIsolated { $0.closeStore() }
        }
    }

    private func closeStore() {
        guard let store else { return finishStop() }
        store.stop { self.assumeIsolated { $0.finishStop() } }
    }

    private func finishStop() {
        requests.failAll()
        for done in commits.takeAll() { done(.stopped) }
        files.stop()
        transport?.stop()
        directory.release()
        for done in stopping.finish() { done() }
    }

    private func recoverSessions() throws(NodeError) {
        do throws(StoreError) {
            news.damaged(try storage.recoverSessions { row in machine.recover(row) })
        } catch {
            throw NodeError(error)
        }
    }

    /// Watches addresses, carriers and sleep, because after a change every peer should be dialled
    /// again.
    private func startWatches() {
        let watches = ChangeWatches(
            on: executor,
            changed: here { shell, what in
                shell.news.log.networkChanged(what)
                shell.feed(.networkChanged)
                shell.discovery.announceAgain(at: shell.listening)
            }
        )
        self.watches = watches
        do throws(TransportError) { try watches.start() } catch { news.log.notWatching(error) }
    }

    // MARK: The queue

    func use(_ rules: @escaping MatchRules) { machine.conversations.rules = rules }

    /// A callback for calls on the node's queue, which does nothing once the shell is gone.
    nonisolated func here<Value: Sendable>(
        _ body: @escaping @Sendable (isolated NodeShell, Value) -> Void
    ) -> @Sendable (Value) -> Void {
        { [weak self] value in self?.assumeIsolated { body($0, value) } }
    }

    /// Appends work to the queue, so it runs after all events of the same wake-up.
    nonisolated func atEndOfIteration(_ work: @escaping @Sendable (isolated NodeShell) -> Void) {
        executor.queue.async { [weak self] in self?.assumeIsolated(work) }
    }

    // MARK: Feeding the machine

    /// Feeds the gathered inputs and then `input` to the machine, and carries out the effects.
    func feed(_ input: NodeInput) {
        guard !gathered.isEmpty else { return carryOut(machine.handle(input, at: Self.now)) }
        feedGathered(and: input)
    }

    /// Gathers inputs of one loop iteration, so the machine pumps and the transport writes once.
    func gather(_ input: NodeInput, bytes: Int = 0) {
        switch gathered.add(input, bytes: bytes) {
        case .nothing: break
        case .feedAtEnd: feedAtEnd()
        case .feedNow: feedGathered()
        }
    }

    private func feedAtEnd() {
        atEndOfIteration { shell in
            shell.gathered.ended()
            shell.feedGathered()
        }
    }

    private func feedGathered(and input: NodeInput? = nil) {
        guard gathered.beginFeeding(with: input) else { return }
        handleGathered()
        // By now a store in memory has committed, and links with few unsent bytes are drained. The
        // frames that follow are written together with the others.
        handleGathered()
        if gathered.fed() { feedAtEnd() }
        transport?.flush()
    }

    /// Hands the machine the gathered inputs, if there are any, and carries out the effects.
    private func handleGathered() {
        let inputs = gathered.take()
        guard !inputs.isEmpty else { return }
        carryOut(machine.handle(inputs, at: Self.now))
    }

    /// A moment of the machine's clock.
    static var now: Moment {
        Moment(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
    }

    private func carryOut(_ effects: Effects) {
        if let persist = effects.persist {
            commits.submitted(persist.ticket, at: Self.now)
            store?.submit(ticket: persist.ticket.value, writes: persist.writes)
        }
        for link in effects.receipts { checkReceipt(of: link) }
        for send in effects.sends { transport?.send(send.bytes, to: ConnectionID(send.link)) }
        for link in effects.drains { awaitDrain(of: link) }
        for work in effects.work {
            let id = ConnectionID(work.link)
            transport?.charge(id, work: work.units, isUnfinished: work.isUnfinished)
        }
        if !effects.deliveries.isEmpty { deliver(effects.deliveries) }
        for close in effects.closes { transport?.close(ConnectionID(close.link)) }
        read(effects.reads)
        for dial in effects.dials { self.dial(dial) }
        if effects.asksForClock { gather(.clocked(.now)) }
        timer?.arm(for: isStopping ? nil : effects.timer, at: Self.now)
    }

    // MARK: The store

    private func reported(_ report: CommitReport) {
        switch report {
        case .committed(let ticket, let damage):
            news.damaged(damage)
            let now = Self.now
            let (starts, answered) = commits.committed(through: Ticket(ticket))
            for start in starts { news.metrics.committed(in: now - start) }
            for sync in store?.takeSyncs() ?? [] { news.metrics.synced(in: sync) }
            gather(.committed(Ticket(ticket)))
            for done in answered { done(nil) }
        case .blocked(_, let error):
            if commits.failed(error) { news.log.storeFailed(error) }
            feed(.storeBlocked(true))
            requests.failStored()
            for done in commits.takeAll() { done(NodeError(whileRunning: error)) }
        case .unblocked:
            commits.works()
            news.log.storeWorks()
            feed(.storeBlocked(false))
        }
    }

    /// Calls `done` once all writes so far are on disk, or with the present error.
    func whenStored(_ done: @escaping PendingCommits.Done) {
        if let obstacle = commits.obstacleToLeaving { return done(obstacle) }
        if !commits.add(done) { done(nil) }
    }

    /// Returns once all writes so far are on disk.
    ///
    /// - Throws: the error that prevents commits at present; later commits may succeed.
    func untilStored() async throws(NodeError) {
        let error = await withCheckedContinuation { done in
            whenStored { done.resume(returning: $0) }
        }
        if let error { throw error }
    }

    private func read(_ reads: [StoreRead]) {
        var rows: [Int64] = []
        for read in reads {
            switch read {
            case .session(let row): rows.append(row)
            case .blobChunk(let chunk):
                store?.blobChunk(
                    chunk.blob,
                    index: chunk.index,
                    here { shell, result in
                        shell.feed(.blobChunkLoaded(chunk, shell.news.log.readable(result) ?? nil))
                    }
                )
            case .blob(let blob):
                store?.blobBytes(
                    blob,
                    here { shell, result in
                        let stored = shell.news.log.readable(result) ?? .unreadable
                        shell.feed(.blobLoaded(blob, stored))
                    }
                )
            }
        }
        if !rows.isEmpty { readSessions(rows) }
    }

    /// Reads sessions, whose heads reach the machine together and are sent in one step.
    ///
    /// A head missing from its row is lost to the machine, so rows that cannot be read for now are
    /// retried.
    private func readSessions(_ rows: [Int64]) {
        store?.headsRetrying(
            ofRows: rows,
            here { shell, rows in
                for read in rows {
                    let heads = shell.news.log.readable(read.result) ?? []
                    guard read.isFinal else { continue }
                    let bytes = heads.reduce(0) { $0 + ($1.envelope?.count ?? 0) }
                    shell.gather(.loaded(row: read.row, heads: heads), bytes: bytes)
                }
            }
        )
    }

    /// Reads back sessions and pictures that another process found damaged.
    ///
    /// Damaged parts are written again from memory, or count as lost, and members send them again.
    func doubt(sessions: [Int64], pictures: [BlobID]) {
        store?.forgetPages()
        for picture in pictures { feed(.blobDoubted(picture)) }
        if !sessions.isEmpty { readSessions(sessions) }
    }

    // MARK: Authoring

    /// Gathers author requests of one loop iteration, to share a signature and a commit.
    func author(_ request: AuthorRequest) {
        guard gathered.add(request) else { return }
        atEndOfIteration { $0.feed(.authored($0.gathered.takeRequests())) }
    }
}
