package import ParleyCore

/// A node of a world: a disk, a program with event loop and sockets, and a person.
package final class SimulatedNode {
    package let name: String
    package let crypto: SimulatedCryptography
    package let device: DeviceID
    package var disk = SimulatedDisk()
    /// The backup of the data directory, if one was made.
    package internal(set) var backup: SimulatedDisk?
    package var commits = SimulatedCommits()
    private var program = SimulatedProgram()
    package internal(set) var loop = SimulatedLoop()
    package var sockets = SimulatedSockets()
    package var person = SimulatedPerson()
    package var clock = SimulatedClock()

    // MARK: What it starts with

    /// Whether a Byzantine writer starts here instead of a machine.
    package var isByzantine = false
    /// Whether the node also sends frames that only a later version knows, which others must
    /// ignore.
    package var speaksNewer = false
    /// The wire versions that the node announces.
    package var wireVersions = NodeConfiguration.spoken
    /// The limits of this node; nil: the limits of the world.
    package var limits: Limits?
    /// The fault around its machine; usually none.
    package var mutant: Mutant?
    /// The person whose device this is, with other nodes.
    package var owner: Person?
    /// The addresses that the node is told at each start.
    package var addresses: [FoundAddress] = []

    /// A node that was never started; its device is derived from `key`.
    package convenience init(name: String, key: UInt64) {
        self.init(name: name, crypto: SimulatedCryptography(seed: key))
    }

    /// A copy of a node's data directory on another computer, not yet started.
    convenience init(name: String, cloning node: SimulatedNode) {
        self.init(name: name, crypto: node.crypto)
        disk = node.disk
        limits = node.limits
        mutant = node.mutant
        owner = node.owner
    }

    private init(name: String, crypto: SimulatedCryptography) {
        self.name = name
        self.crypto = crypto
        device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
    }

    // MARK: Its process

    package var isRunning: Bool { program.isRunning }
    /// Nil while the node is not running.
    package var machine: NodeMachine? { program.machine }
    /// Takes the rules of the apps on the node, until its process ends.
    package func use(_ rules: @escaping MatchRules) { program.use(rules) }
    /// The amounts that the machine keeps for peers after the last step; nil while the node has no
    /// machine.
    package var load: NodeLoad? { program.load }
    /// The number of starts; events for earlier processes are dropped.
    package var process: Int { program.process }
    /// Whether the process is suspended; its events are held back.
    package var isPaused: Bool { loop.isPaused }
    /// Whether its computer has no power.
    var isDark: Bool { program.isWithoutPower }

    /// Starts a machine from what is on the disk.
    package func start(limits: Limits, random: SeededRandom, at now: Moment) -> Effects {
        var configuration = NodeConfiguration(
            deviceName: name,
            software: "test 1",
            limits: self.limits ?? limits
        )
        configuration.wireVersions = wireVersions
        configuration.person = owner
        restart(configuration.limits)
        return program.start(
            configuration,
            crypto: crypto,
            random: random,
            disk: disk,
            mutant: mutant,
            at: clock.moment(at: now)
        )
    }

    /// Starts a Byzantine writer instead of a machine.
    func start(_ writer: ByzantineWriter) {
        restart(Limits())
        program.start(writer)
    }

    private func restart(_ limits: Limits) {
        commits.restart()
        loop.restart()
        sockets.restart(limits)
    }

    func end(losesPower: Bool) {
        program.end(losesPower: losesPower)
        commits.drop()
        loop.end()
    }

    func handle(_ inputs: [NodeInput], at now: Moment) -> Effects? {
        program.handle(inputs, at: clock.moment(at: now))
    }

    /// Lets a Byzantine writer break a rule; nil if none runs.
    func perform(_ act: ByzantineAct, conversation: Int) -> ByzantineWriter.Performance? {
        program.perform(act, conversation: conversation)
    }
}
