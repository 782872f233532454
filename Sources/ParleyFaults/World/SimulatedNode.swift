package import ParleyCore

/// A node of a world: the machine, its disk, its clock, and what it said.
package final class SimulatedNode {
    package let name: String
    package let crypto: SimulatedCryptography
    package let device: DeviceID
    package var disk = SimulatedDisk()
    /// Nil while the node is not running.
    package var machine: World.Machine?
    /// Instead of a machine, while it is running: a member with software of its own.
    package var byzantineWriter: ByzantineWriter?
    /// What earlier liars here wrote.
    private var earlierWrites: [EnvelopeHeader] = []
    /// Whether a liar starts here instead of a machine.
    package var isByzantine = false
    /// Whether it sends what only a later version knows, so that others pass over it.
    package var speaksNewer = false
    /// The wire versions that it says it speaks.
    package var wireVersions = NodeConfiguration.spoken
    /// How often it was started; what an earlier process waited for does not come any more.
    package var process = 0
    /// Its clock, as the machine sees time.
    package var clock = SimulatedClock()
    /// What its wall clock shows more than the world's, in milliseconds.
    package var wallOffset: Int64 = 0
    /// Other limits than the rest of the world has.
    package var limits: Limits?
    /// What is at fault around its machine; usually nothing.
    package var mutant: Mutant?
    /// The same for the present process.
    private var fault: FaultyNode?
    /// Addresses that it is told of when it starts.
    package var addresses: [FoundAddress] = []

    // MARK: Its store

    /// Asked for and not yet on disk, the oldest first.
    package var uncommitted: [Persist] = []
    /// How many of `uncommitted` the transaction under way has.
    var committing = 0
    /// Whether commits are done.
    package var isCommitting = true
    var trouble: DiskTrouble?
    /// Whether the node was told that its store fails.
    package var isBlocked = false
    var retryMilliseconds: Int64 = 200

    /// A copy of its data directory, if one was made.
    var backup: Backup?

    // MARK: Its process

    /// What connections said and its loop has not come round to.
    var gathered: [NodeInput] = []

    /// Crashes after so many more effects.
    var crashSteps: Int?
    /// How long it is down after such a crash; nil: until somebody starts it.
    var crashDown: Interval?
    /// Whether its machine went with it.
    var isWithoutPower = false
    /// Whether the process stands still; what happens to it waits.
    package var isPaused = false
    var heldEvents: [World.Event] = []
    /// Whether it will hear soon that its kernel took what it sent.
    var isDrainDue = false
    /// The number of the timer that is armed.
    var timerNumber = 0
    /// When the machine wants its timer, and when the armed one fires, not later.
    var timerDue: Moment?
    var timerArmed: Moment?
    package var nextLink: UInt64 = 0
    /// The wire of each open link.
    package var wires: [LinkID: Int] = [:]
    /// Whether it takes what arrives; else senders get stuck.
    package var isReading = true
    package var nextConversation: UInt32 = 1
    package var nextRequest: UInt64 = 0

    // MARK: What it said, if the world remembers

    package var deliveries: [Delivery] = []
    package var answers: [RequestID: AuthorAnswer] = [:]
    /// The highest revision that was shown of each session, to see that it never goes back.
    package var shownRevisions: [SessionTag: UInt64] = [:]
    /// Messages that were acknowledged.
    package var acknowledged: [Acknowledged] = []
    /// Bytes handed over for a link and not drained.
    package var undrained: [LinkID: Int] = [:]

    /// A node that was never started, whose device follows from `key`.
    package convenience init(name: String, key: UInt64) {
        self.init(name: name, copying: SimulatedCryptography(seed: key))
    }

    /// A node with the device key of another.
    init(name: String, copying crypto: SimulatedCryptography) {
        self.name = name
        self.crypto = crypto
        device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
    }

    /// Whether a liar here ever claimed to replace anything of a session: what was replaced by what
    /// it replaced is gone then, and no later message need know of it.
    package func claimedToReplace(in tag: SessionTag) -> Bool {
        let all = earlierWrites + (byzantineWriter?.written ?? [])
        return all.contains { $0.tag == tag && !$0.seen.isEmpty }
    }

    package var isRunning: Bool { machine != nil || byzantineWriter != nil }

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
        machine = nil
        fault = nil
        earlierWrites += byzantineWriter?.written ?? []
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
        var machine = World.Machine(
            configuration: configuration,
            crypto: fault?.crypto(crypto) ?? crypto,
            random: fault?.random(random, device) ?? random,
            recovery: disk.recovery
        )
        let rows = disk.sortedRows
        for row in fault.map({ rows.compactMap($0.row) }) ?? rows { machine.recover(row) }
        let effects = machine.start(at: clock.moment(at: now))
        self.machine = machine
        return passed(effects, of: machine, at: now)
    }

    func handle(_ inputs: [NodeInput], at now: Moment) -> Effects? {
        guard byzantineWriter == nil else { return byzantineWriter?.handle(inputs) }
        guard fault != nil else { return machine?.handle(inputs, at: clock.moment(at: now)) }
        let inputs = fault?.passed(inputs, at: clock.moment(at: now)) ?? inputs
        guard let effects = machine?.handle(inputs, at: clock.moment(at: now)), let machine else {
            return nil
        }
        return passed(effects, of: machine, at: now)
    }

    /// What the world sees of the machine's effects.
    private func passed(
        _ effects: Effects,
        of machine: World.Machine,
        at now: Moment
    ) -> Effects {
        fault?.passed(effects, of: machine, at: clock.moment(at: now)) ?? effects
    }
}

/// A copy of a data directory.
struct Backup {
    let disk: SimulatedDisk
    let nextConversation: UInt32
}

/// A message that its author was told is on disk.
package struct Acknowledged: Equatable, Sendable {
    package let conversation: ConversationID
    package let tag: SessionTag
    package let dot: Dot
}
