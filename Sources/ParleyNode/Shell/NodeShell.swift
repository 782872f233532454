import Dispatch
import Foundation
import Logging
import ParleyCore
import ParleyDiscovery
import ParleyKeys
import ParleyLoop
import ParleyStore
import ParleyTransport

typealias Machine = NodeMachine<DeviceCryptography, SystemRandomNumberGenerator>

/// The shell around the node machine: feeds it what happens and carries out what it answers.
///
/// Everything here runs on one serial queue. The order of effects is the machine's: persist, send,
/// deliver, close, read, dial, arm one timer.
actor NodeShell {
    nonisolated let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    let settings: NodeSettings
    let key: DeviceKey
    let deviceName: String
    var machine: Machine
    var log: NodeLog
    let metrics = NodeMetrics()

    let directory: DataDirectory
    let storage: any NodeStore
    var store: CommitQueue?
    var transport: Transport?
    var discovery: Discovery?
    var networkWatch: NetworkWatch?
    var wakeWatch: WakeWatch?
    private var timer: LoopTimer?
    /// What `timer` is armed for.
    private var timerMoment: Moment?
    /// What happened in this turn of the loop and was not told yet, with the bytes in it.
    private var gathered: [NodeInput] = []
    private var gatheredBytes = 0
    private var gatherTurn: TurnEnd?

    var listening: [SocketAddress] = []
    var links = LinkTable()
    var requests = RequestTable()
    var followers = Followers()
    var sightings: [Sighting: String] = [:]
    var nextConversationNumber: UInt32 = 1
    /// What is wrong with the store, nil while it works.
    var storeTrouble: StoreError?
    var discoveryState = DiscoveryState.stopped
    private var authored: [AuthorRequest] = []
    private var authorTurn: TurnEnd?
    private var stopped: CheckedContinuation<Void, Never>?

    /// Bytes of links that are not kept until the end of a turn.
    private static let gatheredBytesMax = 1 << 20
    private(set) var isStopping = false

    init(
        _ settings: NodeSettings,
        executor: QueueExecutor,
        opened: OpenedDirectory
    ) {
        self.settings = settings
        self.executor = executor
        key = opened.key
        deviceName = settings.name ?? ProcessInfo.processInfo.hostName
        directory = opened.directory
        storage = opened.storage
        log = NodeLog(device: opened.key.id)
        nextConversationNumber = opened.recovery.nextConversationNumber
        machine = Machine(
            configuration: ParleyCore.NodeConfiguration(
                deviceName: deviceName.cut(toBytes: Limits.deviceNameBytes),
                software: NodeVersion.software,
                limits: settings.limits
            ),
            crypto: DeviceCryptography(opened.key),
            random: SystemRandomNumberGenerator(),
            recovery: opened.recovery
        )
        log.found(opened.findings)
    }

    // MARK: Starting and stopping

    /// Brings the node up.
    ///
    /// - Throws: what keeps it from listening or reading its store.
    func start() throws(NodeError) {
        store = CommitQueue(
            store: storage,
            hop: { [executor] work in executor.queue.async(execute: work) },
            report: { [weak self] report in self?.assumeIsolated { $0.reported(report) } }
        )
        timer = LoopTimer(on: executor) { [weak self] in
            self?.assumeIsolated { $0.timerFired() }
        }
        authorTurn = TurnEnd(on: executor) { [weak self] in
            self?.assumeIsolated { $0.authorGathered() }
        }
        gatherTurn = TurnEnd(on: executor) { [weak self] in
            self?.assumeIsolated { shell in
                shell.gatherTurn?.begin()
                shell.feedGathered()
            }
        }
        try recoverSessions()
        try openTransport()
        carryOut(machine.start(at: Self.now))
        addConfiguredPeers()
        startWatches()
        if settings.usesDiscovery { startDiscovery() }
    }

    /// Says goodbye on every link, and returns once everything acknowledged is closed.
    func stop() async {
        guard !isStopping else { return }
        isStopping = true
        if let discovery { discovery.perform { $0.stop() } }
        networkWatch?.stop()
        wakeWatch?.stop()
        transport?.stopListening()
        feed(.stopping)
        timer?.cancel()
        requests.failAll()
        followers.finish()
        await withCheckedContinuation { done in
            stopped = done
            executor.queue.asyncAfter(deadline: .now() + .milliseconds(200)) {
                self.assumeIsolated { $0.closeStore() }
            }
        }
        transport?.stop()
        directory.release()
    }

    private func closeStore() {
        guard let store else { return finishStop() }
        store.stop { self.assumeIsolated { $0.finishStop() } }
    }

    private func finishStop() {
        requests.failAll()
        stopped?.resume()
        stopped = nil
    }

    private func recoverSessions() throws(NodeError) {
        do throws(StoreError) {
            let findings = try storage.recoverSessions { row in machine.recover(row) }
            log.found(findings)
        } catch {
            throw NodeError(error)
        }
    }

    // MARK: The one way into the machine

    /// Tells the machine what happened, after what was gathered, and does what it answers.
    func feed(_ input: NodeInput) {
        guard !gathered.isEmpty else { return carryOut(machine.handle(input, at: Self.now)) }
        gathered.append(input)
        feedGathered()
    }

    /// Tells the machine what happened at the end of this turn of the loop, together with what else
    /// does, so that what follows is worked out, sealed and written once.
    func gather(_ input: NodeInput, bytes: Int = 0) {
        gathered.append(input)
        gatheredBytes += bytes
        if gatheredBytes < Self.gatheredBytesMax { gatherTurn?.request() } else { feedGathered() }
    }

    private func feedGathered() {
        let inputs = gathered
        gathered = []
        gatheredBytes = 0
        guard !inputs.isEmpty else { return }
        carryOut(machine.handle(inputs, at: Self.now))
        transport?.flush()
    }

    /// A moment of the machine's clock.
    static var now: Moment {
        Moment(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
    }

    private func carryOut(_ effects: Effects) {
        if let persist = effects.persist {
            store?.submit(ticket: persist.ticket.value, writes: persist.writes)
        }
        for send in effects.sends {
            guard let id = links.connection(of: send.link) else { continue }
            transport?.send(send.bytes, to: id)
        }
        for link in effects.drains { awaitDrain(of: link) }
        for delivery in effects.deliveries { deliver(delivery) }
        for close in effects.closes {
            guard let id = links.connection(of: close.link) else { continue }
            transport?.close(id)
        }
        for read in effects.reads { self.read(read) }
        for dial in effects.dials { self.dial(dial) }
        guard !isStopping, let moment = effects.timer else {
            timer?.disarm()
            timerMoment = nil
            return
        }
        // Deadlines move on all the time: one that comes too early costs less than setting it anew.
        if let timerMoment, timerMoment <= moment { return }
        timerMoment = moment
        timer?.arm(after: .nanoseconds((moment - Self.now).nanoseconds))
    }

    private func timerFired() {
        timerMoment = nil
        feed(.timer)
    }

    // MARK: The store

    private func reported(_ report: CommitReport) {
        switch report {
        case .committed(let ticket, let findings):
            log.found(findings)
            feed(.committed(Ticket(ticket)))
        case .blocked(_, let error):
            if storeTrouble == nil { log.storeFailed(error) }
            storeTrouble = error
            feed(.storeBlocked(true))
            requests.failStored()
        case .unblocked:
            storeTrouble = nil
            log.storeWorks()
            feed(.storeBlocked(false))
        }
    }

    private func read(_ read: StoreRead) {
        switch read {
        case .session(let row):
            store?.heads(ofRow: row) { [weak self] result in
                self?.assumeIsolated { shell in
                    let heads = shell.log.readable(result) ?? []
                    shell.feed(.loaded(row: row, heads: heads))
                }
            }
        case .blobChunk(let chunk):
            store?.blobChunk(chunk.blob, index: chunk.index) { [weak self] result in
                self?.assumeIsolated { shell in
                    let bytes = shell.log.readable(result) ?? nil
                    shell.feed(.blobChunkLoaded(chunk, bytes))
                }
            }
        case .blob(let blob):
            store?.blobBytes(blob) { [weak self] result in
                self?.assumeIsolated { shell in
                    let bytes = shell.log.readable(result) ?? nil
                    shell.feed(.blobLoaded(blob, bytes))
                }
            }
        }
    }

    // MARK: Authoring

    /// Gathers what is to be authored in this turn, so that it shares a signature and a commit.
    func author(_ request: AuthorRequest) {
        authored.append(request)
        authorTurn?.request()
    }

    private func authorGathered() {
        authorTurn?.begin()
        let requests = authored
        authored = []
        guard !requests.isEmpty else { return }
        feed(.authored(requests))
    }
}
