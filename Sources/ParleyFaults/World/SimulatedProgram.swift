package import ParleyCore

/// The program of a node while it runs: a machine with a fault around it, or a Byzantine writer.
package struct SimulatedProgram {
    /// The number of starts; events for earlier processes are dropped.
    package private(set) var process = 0
    /// Whether it has a machine or a Byzantine writer.
    ///
    /// It is stored because the world asks for it at every event, and comparing `machine` with nil
    /// copies the machine.
    package private(set) var isRunning = false
    /// Nil while the program does not run.
    package private(set) var machine: NodeMachine?
    /// The amounts that the machine keeps for peers after the last step.
    ///
    /// They are stored because checkers ask for them at every event.
    package private(set) var load: NodeLoad?
    /// The member with software of its own that runs instead of a machine.
    private var byzantineWriter: ByzantineWriter?
    private var fault: FaultyNode?
    /// Whether its computer lost power with the process.
    package private(set) var isWithoutPower = false

    package init() {}

    /// Starts a machine from what is on the disk.
    package mutating func start(
        _ configuration: NodeConfiguration,
        crypto: SimulatedCryptography,
        random: SeededRandom,
        disk: SimulatedDisk,
        mutant: Mutant? = nil,
        at now: Moment
    ) -> Effects {
        begin()
        var fault = mutant?.faultyNode()
        let device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
        var machine = NodeMachine(
            configuration: configuration,
            crypto: fault?.crypto(crypto) ?? crypto,
            random: fault?.random(random, device) ?? random,
            recovery: disk.recovery
        )
        // Without rules every move would be in doubt, and nobody could be accused.
        machine.conversations.rules = MatchBot.rules
        let rows = disk.sortedRows
        for row in fault.map({ rows.compactMap($0.row) }) ?? rows { machine.recover(row) }
        let effects = machine.start(at: now)
        let passed = fault?.passed(effects, of: machine, at: now) ?? effects
        load = machine.load
        self.machine = machine
        self.fault = fault
        return passed
    }

    /// Starts a Byzantine writer instead of a machine.
    mutating func start(_ writer: ByzantineWriter) {
        begin()
        byzantineWriter = writer
    }

    private mutating func begin() {
        process += 1
        isRunning = true
        isWithoutPower = false
    }

    package mutating func end(losesPower: Bool = false) {
        let process = process
        self = SimulatedProgram()
        self.process = process
        isWithoutPower = losesPower
    }

    /// The effects of inputs; nil while the program does not run.
    package mutating func handle(_ inputs: [NodeInput], at now: Moment) -> Effects? {
        guard byzantineWriter == nil else { return byzantineWriter?.handle(inputs) }
        let inputs = fault?.passed(inputs, at: now) ?? inputs
        guard let step = machine?.step(inputs, at: now) else { return nil }
        load = step.load
        guard fault != nil, let machine else { return step.effects }
        return fault?.passed(step.effects, of: machine, at: now)
    }

    /// Takes the rules of the apps on the node.
    package mutating func use(_ rules: @escaping MatchRules) {
        machine?.conversations.rules = rules
    }

    /// Lets a Byzantine writer break a rule; nil if none runs.
    mutating func perform(_ act: ByzantineAct, conversation: Int) -> ByzantineWriter.Performance? {
        byzantineWriter?.perform(act, conversation: conversation)
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
