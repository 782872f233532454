package import ParleyCore

/// A node of a world: its machine, disk and clock, and a record of its deliveries.
package final class SimulatedNode {
    package let name: String
    package let crypto: SimulatedCryptography
    package let device: DeviceID
    package var disk = SimulatedDisk()
    /// Whether it has a machine or a Byzantine writer.
    ///
    /// It is stored because the world asks for it at every event, and comparing `machine` with nil
    /// copies the machine.
    package private(set) var isRunning = false
    /// Nil while the node is not running.
    package private(set) var machine: NodeMachine?
    /// The amounts that the machine keeps for its peers after its last step; nil while the node has
    /// no machine.
    ///
    /// They are stored because checkers ask for them at every event.
    package private(set) var load: NodeLoad?
    /// The member with software of its own that runs instead of a machine, while the node is
    /// running.
    package internal(set) var byzantineWriter: ByzantineWriter?
    /// Whether a Byzantine writer starts here instead of a machine.
    package var isByzantine = false
    /// Whether the node also sends frames that only a later version knows, which others must
    /// ignore.
    package var speaksNewer = false
    /// The wire versions that the node announces.
    package var wireVersions = NodeConfiguration.spoken
    /// The number of starts; events for earlier processes are dropped.
    package var process = 0
    /// The monotonic clock that the machine sees.
    package var clock = SimulatedClock()
    /// The offset of the wall clock against the clock of the world, in milliseconds.
    package var wallOffset: Int64 = 0
    /// The limits of this node, if they differ from those of the world.
    package var limits: Limits?
    /// The fault around its machine; usually none.
    package var mutant: Mutant?
    /// The fault around the machine of the present process.
    private var fault: FaultyNode?
    /// The addresses that the node is told at each start.
    package var addresses: [FoundAddress] = []

    // MARK: Its store

    /// Writes that are not on disk yet, the oldest first.
    package var uncommitted: [Persist] = []
    /// The number of entries of `uncommitted` in the current transaction.
    var committing = 0
    /// Whether the disk makes progress.
    package var isCommitting = true
    var trouble: DiskTrouble?
    /// Whether the node was told that its store fails.
    package var isBlocked = false
    var retryMilliseconds: Int64 = 200

    /// The backup of the data directory, if one was made.
    var backup: Backup?

    // MARK: Its process

    /// Inputs from connections that wait for the next round of the event loop.
    var gathered: [NodeInput] = []

    /// The number of effects before a planned crash.
    var crashSteps: Int?
    /// The downtime after a planned crash; nil: until an explicit start.
    var crashDown: Interval?
    /// Whether the machine lost power with the process.
    var isWithoutPower = false
    /// Whether the process is suspended; its events are held back.
    package var isPaused = false
    var heldEvents: [World.Event] = []
    /// Accepted connections that have not proved a conversation, by the number of their source.
    var strangers = StrangerTable(limits: Limits())
    /// Whether a `drained` input is scheduled.
    var isDrainDue = false
    /// The number of the armed timer.
    var timerNumber = 0
    /// The time at which the machine wants its timer; the armed timer fires at that time or
    /// earlier.
    var timerDue: Moment?
    var timerArmed: Moment?
    package var nextLink: UInt64 = 0
    /// The wire of each open link.
    package var wires: [LinkID: Int] = [:]
    /// Whether the node reads from its connections; if not, senders stall.
    package var isReading = true
    package var nextConversation: UInt32 = 1
    package var nextRequest: UInt64 = 0

    // MARK: Its deliveries, if the world remembers

    package var deliveries: [Delivery] = []
    package var answers: [RequestID: AuthorAnswer] = [:]
    /// The highest revision shown of each session; a lower one afterwards is a problem.
    package var shownRevisions: [SessionTag: UInt64] = [:]
    /// The acknowledged messages.
    package var acknowledged: [Acknowledged] = []
    /// The bytes handed over for each link since it was last drained.
    package var undrained: [LinkID: Int] = [:]

    /// A node that was never started; its device is derived from `key`.
    package convenience init(name: String, key: UInt64) {
        self.init(name: name, copying: SimulatedCryptography(seed: key))
    }

    /// A node with the device key of another.
    init(name: String, copying crypto: SimulatedCryptography) {
        self.name = name
        self.crypto = crypto
        device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
    }

    func beginProcess() {
        process += 1
        fault = mutant?.faultyNode()
        wires = [:]
        undrained = [:]
        uncommitted = []
        committing = 0
        isReading = true
        isCommitting = true
        isBlocked = false
        retryMilliseconds = 200
        isWithoutPower = false
        gathered = []
        timerDue = nil
        timerArmed = nil
        isDrainDue = false
        timerNumber += 1
    }

    func endProcess() {
        isRunning = false
        machine = nil
        load = nil
        fault = nil
        byzantineWriter = nil
        uncommitted = []
        committing = 0
        isPaused = false
        heldEvents = []
        crashSteps = nil
    }

    /// Starts a machine from what is on the disk.
    func startMachine(
        _ configuration: NodeConfiguration,
        random: SeededRandom,
        at now: Moment
    ) -> Effects {
        var machine = NodeMachine(
            configuration: configuration,
            crypto: fault?.crypto(crypto) ?? crypto,
            random: fault?.random(random, device) ?? random,
            recovery: disk.recovery
        )
        let rows = disk.sortedRows
        for row in fault.map({ rows.compactMap($0.row) }) ?? rows { machine.recover(row) }
        let effects = machine.start(at: clock.moment(at: now))
        load = machine.load
        self.machine = machine
        isRunning = true
        return passed(effects, of: machine, at: now)
    }

    /// Starts a Byzantine writer instead of a machine.
    func start(_ writer: ByzantineWriter) {
        byzantineWriter = writer
        isRunning = true
    }

    func handle(_ inputs: [NodeInput], at now: Moment) -> Effects? {
        guard byzantineWriter == nil else { return byzantineWriter?.handle(inputs) }
        let inputs = fault?.passed(inputs, at: clock.moment(at: now)) ?? inputs
        guard let step = machine?.step(inputs, at: clock.moment(at: now)) else { return nil }
        load = step.load
        guard fault != nil, let machine else { return step.effects }
        return passed(step.effects, of: machine, at: now)
    }

    /// The machine's effects as the world sees them.
    private func passed(
        _ effects: Effects,
        of machine: NodeMachine,
        at now: Moment
    ) -> Effects {
        fault?.passed(effects, of: machine, at: clock.moment(at: now)) ?? effects
    }
}

extension NodeMachine {
    /// Handles inputs, and says which amounts the machine keeps afterwards.
    ///
    /// Reading them later, from an optional property, would copy the machine.
    fileprivate mutating func step(
        _ inputs: [NodeInput],
        at now: Moment
    ) -> (effects: Effects, load: NodeLoad) {
        (handle(inputs, at: now), load)
    }
}

/// A backup of a data directory.
struct Backup {
    let disk: SimulatedDisk
    let nextConversation: UInt32
}

/// A message whose author was told that it is on disk.
package struct Acknowledged: Equatable, Sendable {
    package let conversation: ConversationID
    package let tag: SessionTag
    package let dot: Dot
}
